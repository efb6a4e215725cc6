/** The screens with their own look. Other screens are drawn from their descriptions. */
import { account } from "./account.js";
import { chats } from "./chats.js";
import { explore } from "./explore.js";
import { library } from "./library.js";
import { map } from "./map.js";
import { pokedex } from "./pokedex.js";

/** By kind: `draw` returns the content; `title`, `actions`, and `isBare` change the bar above. */
export const styled = { ...map, ...explore, ...chats, ...pokedex, ...library, ...account };

/** The app of these screens. Screens of another app may have the same names. */
export const app = "showcase";
