/**
 * Renders each template once before a run starts. A run keeps its templates, so an error found at a dispatch could not be
 * fixed any more.
 */
import { AppError } from "../../lib/errors.ts";
import type { Protocol } from "../../protocol/machine.ts";
import { allSpots } from "../../protocol/levels.ts";
import type { Families } from "../../family/family.ts";
import { jinja } from "./library.ts";
import { renderPrompt } from "../../protocol/template.ts";

export function assertTemplates(
  protocol: Protocol,
  templates: ReadonlyMap<string, string>,
  families: Families,
): void {
  families.assertTemplates(templates);
  const variables = Object.fromEntries(families.variableNames.map((name) => [name, name]));
  for (const name of usedBy(protocol)) {
    if (templates.has(`${name}${jinja}`)) continue;
    try {
      renderPrompt({ name, templates: Object.fromEntries(templates), variables });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `the template ${name}: ${error.message}`, {
        hint: `${error.hint} Your own template is .mettle/templates/${name}.md.`,
        cause: error,
      });
    }
  }
}

/** Names of the available templates, as a protocol writes them. */
export function templateNames(templates: ReadonlyMap<string, string>): ReadonlySet<string> {
  const names = [...templates.keys()];
  return new Set(names.map((name) => (name.endsWith(jinja) ? name.slice(0, -jinja.length) : name)));
}

function usedBy({ machines, roles }: Protocol): ReadonlySet<string> {
  const names = Object.values(machines).flatMap((machine) =>
    allSpots(machine).flatMap(({ state }) =>
      state.kind === "dispatch" ? [state.template ?? roles[state.role]?.template ?? state.role] : [],
    ),
  );
  return new Set(names);
}
