/** The screens with their own look. Other screens are drawn from their descriptions. */
import { account } from "./account.js";
import { chats } from "./chats.js";
import { explore } from "./explore.js";
import { library } from "./library.js";
import { map } from "./map.js";
import { pokedex } from "./pokedex.js";

/**
 * By kind: `draw` returns the content; `title`, `actions`, and `isBare` change the bar above. `steps` are what a
 * screen shows in place of something else, the topmost last: each has a `name` in the address, and `close`s with
 * the browser's Back; `reopen` shows the one with a name again.
 */
export const styled = { ...map, ...explore, ...chats, ...pokedex, ...library, ...account };

/** The app of these screens. Screens of another app may have the same names. */
const app = "showcase";

/** The style of a kind of screen; undefined if it has none. */
export const styleOf = (core, kind) => (core.description?.info.title === app ? styled[kind] : undefined);
