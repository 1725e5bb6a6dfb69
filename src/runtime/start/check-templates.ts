/**
 * The templates of a run are read once before it starts: it keeps what it started with, so that a fault found at a
 * dispatch could not be mended any more.
 */
import { AppError } from "../../lib/errors.ts";
import type { Protocol } from "../../protocol/machine.ts";
import { allSpots } from "../../protocol/places.ts";
import { variableNames } from "../dispatch/prompt/variables.ts";
import { assertNodeTemplates, extension } from "../families/graph/prompt/templates.ts";
import { renderPrompt, type Variables } from "./templates.ts";

export function assertTemplates(protocol: Protocol, templates: ReadonlyMap<string, string>): void {
  assertNodeTemplates(templates);
  for (const name of usedBy(protocol)) {
    if (templates.has(`${name}${extension}`)) continue;
    try {
      renderPrompt({ name, templates: Object.fromEntries(templates), variables: everything });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `the template ${name}: ${error.message}`, {
        hint: `${error.hint} Your own stands in .mettle/templates/${name}.md.`,
        cause: error,
      });
    }
  }
}

/** The names by which a protocol may call the templates at hand. */
export function templateNames(templates: ReadonlyMap<string, string>): ReadonlySet<string> {
  const names = [...templates.keys()];
  return new Set(names.map((name) => (name.endsWith(extension) ? name.slice(0, -extension.length) : name)));
}

const everything: Variables = Object.fromEntries(variableNames.map((name) => [name, name]));

function usedBy({ machines, roles }: Protocol): ReadonlySet<string> {
  const names = Object.values(machines).flatMap((machine) =>
    allSpots(machine).flatMap(({ state }) =>
      state.kind === "dispatch" ? [state.template ?? roles[state.role]?.template ?? state.role] : [],
    ),
  );
  return new Set(names);
}
