/** The screens with a look of their own. Any other screen is drawn from its description. */
import { account } from "./account.js";
import { chats } from "./chats.js";
import { explore } from "./explore.js";
import { library } from "./library.js";
import { map } from "./map.js";
import { pokedex } from "./pokedex.js";

/** By kind: `draw` makes the content; `title`, `actions`, and `isBare` change the bar above it. */
export const styled = { ...map, ...explore, ...chats, ...pokedex, ...library, ...account };

/** The app that these screens belong to: screens of another one may have the same names. */
export const app = "showcase";
