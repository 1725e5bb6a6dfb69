import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, ok, type DoctorCheck } from "./check.ts";

export const stateHome: DoctorCheck = {
  name: "state home",
  needed: true,
  async examine({ home, stateRoot }) {
    const wanted = home?.root ?? stateRoot;
    const nearest = await existing(wanted);
    const why = await whyUnwritable(nearest);
    if (why !== null) return [fail(`${wanted}: ${why}`, 'export METTLE_HOME="$HOME/.mettle-state"')];
    return [ok(nearest === wanted ? wanted : `${wanted}, created when needed`)];
  },
};

/** The path itself, or its nearest existing parent. */
async function existing(path: string): Promise<string> {
  for (let place = path; place !== dirname(place); place = dirname(place))
    if (await stat(place).catch(() => null)) return place; // missing, or below a file
  return "/";
}

async function whyUnwritable(place: string): Promise<string | null> {
  if (!(await stat(place)).isDirectory()) return `${place} is not a folder`;
  return access(place, constants.W_OK | constants.X_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => `${place} cannot be written (${error.code ?? error.message})`,
  );
}
