/** The command of a gate, read from its record: `mettle gate green --base … --red … --head …`, `mettle prove …`. Pure. */
import type { EvidenceRecord } from "./record.ts";

export interface GateCommand {
  readonly name: string;
  /** Commits; null where the command does not name them. */
  readonly base: string | null;
  readonly red: string | null;
  readonly head: string | null;
}

/** The first words of a gate's command; `prove` is a command of its own. */
export function gateWords(name: string): readonly string[] {
  return name === "prove" ? ["mettle", name] : ["mettle", "gate", name];
}

/** Null for a program that was executed, such as a test runner. */
export function gateCommand({ argv }: Pick<EvidenceRecord, "argv">): GateCommand | null {
  const [program, first = "", second = ""] = argv;
  if (program !== "mettle") return null;
  const valueOf = (option: string): string | null => {
    const at = argv.indexOf(option);
    return at === -1 ? null : (argv[at + 1] ?? null);
  };
  return {
    name: first === "gate" ? second : first,
    base: valueOf("--base"),
    red: valueOf("--red"),
    head: valueOf("--head"),
  };
}
