/** Takes an approved plan (TDP-06), as a process of its own: it ends its work also where the hook that began it may not wait. */
import { text } from "node:stream/consumers";
import { isSessionHook } from "../channel/person.ts";
import { reportPlan } from "./plan-mode.ts";
import { notFromSession } from "./mettle-commands.ts";
import type { Design } from "./plan-text.ts";

// Whoever asked may be gone.
process.stdout.on("error", () => undefined);
const [checkout = ""] = process.argv.slice(2);
// The hook writes what it has read of the plan.
const design = JSON.parse(await text(process.stdin)) as Design;
process.stdout.write(isSessionHook() ? await reportPlan(checkout, design) : notFromSession.text);
