/** The page in a browser: starts following the address, the server's events and the keyboard, and draws. */
import { render } from "preact";
import { App } from "./app.tsx";
import { followFocus } from "./focus.ts";
import { followKeys } from "./keys.ts";
import { followEvents } from "./live.ts";
import { followAddress } from "./routes.ts";
import { followSaid } from "./working/said.ts";

const root = document.getElementById("app");
if (root !== null) {
  followAddress();
  followEvents();
  followKeys();
  followSaid();
  followFocus(root);
  render(<App />, root);
}
