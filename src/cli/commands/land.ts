import { openRun } from "../../families/open-run.ts";
import { withHost } from "../../run/host.ts";
import { landRun } from "../../verify/land-run.ts";
import { findRun } from "../../run/find-run.ts";
import type { CommandHandler } from "../command.ts";
import { requirePerson } from "../../channel/person.ts";

export const run: CommandHandler = async (io, given) => {
  const by = requirePerson();
  return withHost(io.cwd, async (host) => {
    const run = await findRun(host, given.text("run"));
    const { unsigned, ...landed } = await landRun(await openRun(host, { run }), by);
    if (unsigned !== null) io.warn(`note: ${unsigned}`);
    return {
      exit: 0,
      json: { run, landed },
      text: `landed run ${run} on ${landed.branch}: ${landed.commit}`,
    };
  });
};
