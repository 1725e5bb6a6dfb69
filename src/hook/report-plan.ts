/** Reports an approved plan (TDP-06). A separate process, since the hook that starts it may run out of time. */
import { text } from "node:stream/consumers";
import { isSessionHook } from "../channel/person.ts";
import { reportPlan } from "./plan-mode.ts";
import { notFromSession } from "./mettle-commands.ts";
import type { Design } from "./plan-text.ts";

// The hook may have ended.
process.stdout.on("error", () => undefined);
const [checkout = ""] = process.argv.slice(2);
// The hook has validated it.
const design = JSON.parse(await text(process.stdin)) as Design;
process.stdout.write(isSessionHook() ? await reportPlan(checkout, design) : notFromSession.text);
