/// Films: key, title, year of the first showing, director, minutes. Text, as a literal of so many
/// values takes long to compile.
let builtInFilms = """
  citizen-kane | Citizen Kane | 1941 | Orson Welles | 119
  casablanca | Casablanca | 1942 | Michael Curtiz | 102
  bicycle-thieves | Bicycle Thieves | 1948 | Vittorio De Sica | 89
  tokyo-story | Tokyo Story | 1953 | Yasujirō Ozu | 136
  seven-samurai | Seven Samurai | 1954 | Akira Kurosawa | 207
  the-godfather | The Godfather | 1972 | Francis Ford Coppola | 175
  jaws | Jaws | 1975 | Steven Spielberg | 124
  star-wars | Star Wars | 1977 | George Lucas | 121
  alien | Alien | 1979 | Ridley Scott | 117
  blade-runner | Blade Runner | 1982 | Ridley Scott | 117
  pulp-fiction | Pulp Fiction | 1994 | Quentin Tarantino | 154
  the-matrix | The Matrix | 1999 | Lana and Lilly Wachowski | 136
  in-the-mood-for-love | In the Mood for Love | 2000 | Wong Kar-wai | 98
  yi-yi | Yi Yi | 2000 | Edward Yang | 173
  crouching-tiger | Crouching Tiger, Hidden Dragon | 2000 | Ang Lee | 120
  amelie | Amélie | 2001 | Jean-Pierre Jeunet | 123
  spirited-away | Spirited Away | 2001 | Hayao Miyazaki | 125
  memories-of-murder | Memories of Murder | 2003 | Bong Joon-ho | 131
  oldboy | Oldboy | 2003 | Park Chan-wook | 120
  inception | Inception | 2010 | Christopher Nolan | 148
  mad-max-fury-road | Mad Max: Fury Road | 2015 | George Miller | 120
  moonlight | Moonlight | 2016 | Barry Jenkins | 111
  the-handmaiden | The Handmaiden | 2016 | Park Chan-wook | 145
  train-to-busan | Train to Busan | 2016 | Yeon Sang-ho | 118
  burning | Burning | 2018 | Lee Chang-dong | 148
  roma | Roma | 2018 | Alfonso Cuarón | 135
  shoplifters | Shoplifters | 2018 | Hirokazu Kore-eda | 121
  parasite | Parasite | 2019 | Bong Joon-ho | 132
  """

/// TV dramas: key, title, year of the first broadcast, network, episodes of all seasons.
let builtInDramas = """
  the-wire | The Wire | 2002 | HBO | 60
  winter-sonata | Winter Sonata | 2002 | KBS2 | 20
  jewel-in-the-palace | Jewel in the Palace | 2003 | MBC | 54
  breaking-bad | Breaking Bad | 2008 | AMC | 62
  my-love-from-the-star | My Love from the Star | 2013 | SBS | 21
  reply-1988 | Reply 1988 | 2015 | tvN | 20
  descendants-of-the-sun | Descendants of the Sun | 2016 | KBS2 | 16
  signal | Signal | 2016 | tvN | 16
  mr-sunshine | Mr. Sunshine | 2018 | tvN | 24
  my-mister | My Mister | 2018 | tvN | 16
  sky-castle | Sky Castle | 2018 | JTBC | 20
  chernobyl | Chernobyl | 2019 | HBO | 5
  crash-landing-on-you | Crash Landing on You | 2019 | tvN | 16
  itaewon-class | Itaewon Class | 2020 | JTBC | 16
  extraordinary-attorney-woo | Extraordinary Attorney Woo | 2022 | ENA | 16
  """

/// Hobbies: key, name, where, what one needs.
let builtInHobbies = """
  astronomy | Amateur Astronomy | Outdoors | A telescope, or the eyes alone
  baduk | Baduk | Indoors | A board of 19 by 19 lines, 361 stones
  birdwatching | Birdwatching | Outdoors | Binoculars, a field guide
  bouldering | Bouldering | Anywhere | Climbing shoes, chalk, a mat
  calligraphy | Calligraphy | Indoors | A brush, ink, an inkstone, paper
  chess | Chess | Anywhere | A board, 32 pieces
  film-photography | Film Photography | Anywhere | A camera, film
  gardening | Gardening | Outdoors | Soil, seeds, a trowel
  knitting | Knitting | Anywhere | Two needles, yarn
  origami | Origami | Anywhere | Square paper
  pottery | Pottery | Indoors | Clay, a wheel, a kiln
  sourdough | Sourdough Baking | Indoors | Flour, water, salt, an oven
  """
