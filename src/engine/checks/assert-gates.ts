import { AppError } from "../../lib/errors.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { Gates } from "../../family/gate.ts";

/** Refuses a protocol with unknown gates, or with other outcomes than the gates of this version have. */
export function assertGates(protocol: Protocol, gates: Gates): void {
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
