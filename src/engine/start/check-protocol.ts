/** Checks a protocol with its gates and templates before a run freezes them. */
import { AppError } from "../../lib/errors.ts";
import type { Protocol } from "../../protocol/machine.ts";
import { checkProtocol } from "../../protocol/check.ts";
import { isLibrary, loadProtocol } from "../../protocol/load.ts";
import { allSpots } from "../../protocol/levels.ts";
import type { Gates } from "../../family/gate.ts";
import type { Families } from "../../family/family.ts";
import { jinja, type Library } from "./library.ts";
import { renderPrompt } from "../../protocol/template.ts";

/** Loads a protocol by name and checks it, its gates and its templates (CORE-05). */
export async function checkedProtocol(
  library: Library,
  name: string,
  families: Families,
): Promise<{ readonly protocol: Protocol; readonly templates: ReadonlyMap<string, string> }> {
  if (!library.protocols.has(name))
    throw new AppError("protocol_unknown", `there is no protocol ${name}`, {
      hint: `known: ${[...library.protocols.keys()].join(", ")}`,
    });
  const protocol = loadProtocol(name, library.protocols);
  if (isLibrary(protocol))
    throw new AppError("protocol_invalid", `${name} can only be extended: it has no machine to run`, {
      hint: "name a protocol that extends it, e.g. orchestrate",
    });
  const templates = await library.templates([protocol.name, ...protocol.bases]);
  const problems = checkProtocol(protocol, {
    templates: templateNames(templates),
    payloads: new Set(Object.keys(families.payloadKinds)),
  });
  const [problem] = problems;
  if (problem)
    throw new AppError(
      "protocol_invalid",
      `${name} fails its check: ${problem.code} in state ${problem.state}: ${problem.message}`,
      {
        hint: `\`mettle protocol check ${library.protocols.get(name)?.file ?? name}\` shows all ${problems.length}`,
        detail: problems,
      },
    );
  assertGates(protocol, families.gates);
  assertTemplates(protocol, templates, families);
  return { protocol, templates };
}

/** Refuses a protocol with unknown gates, or with other outcomes than the gates of this version have. */
function assertGates(protocol: Protocol, gates: Gates): void {
  for (const [name, outcomes] of Object.entries(protocol.gates)) {
    const gate = Object.hasOwn(gates, name) ? gates[name] : undefined;
    const hint = `gates of this version: ${Object.keys(gates).join(", ")}`;
    if (!gate) throw new AppError("protocol_invalid", `${protocol.name} needs the gate ${name}`, { hint });
    const differ = [...gate.outcomes].sort().join() !== [...outcomes].sort().join();
    if (differ)
      throw new AppError("protocol_invalid", `the gate ${name} answers ${gate.outcomes.join(", ")}`, {
        hint: `write gates.${name}: [${gate.outcomes.join(", ")}]`,
      });
  }
}

/** Renders each template once: a run keeps its templates, so an error found at a dispatch could not be fixed any more. */
function assertTemplates(
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
