/** Answers a session's claim by a run of the tests (ORC-49), as a process of its own: a hook's two seconds are too few for that. */
import { withHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import { verifyTree } from "../verify/verify-tree.ts";
import { sessionKey } from "./session-claims.ts";

const [checkout = "", run = "", commit = ""] = process.argv.slice(2);
// What it executes is bounded by the run's own deadline for tests.
await withHost(checkout, async (host) => {
  const context = await openRun(host, { run });
  await context.session.prove(sessionKey, await verifyTree(context, commit), []);
});
