/** Where a process runs. Containers and machines may have one name, and a process id means something in one place only. */
export interface ClaimHost {
  /** For people. */
  readonly name: string;
  /** The state home: that of a container or machine stays the same over its starts. */
  readonly home: string;
  /** Changes with each start of the machine. */
  readonly boot: string;
  /** Within it, process ids are unique. */
  readonly processes: string;
}

/** `earlier`: the machine of this state home was started again since, so no process of that time runs. */
export function relationOf(holder: ClaimHost, here: ClaimHost): "here" | "earlier" | "elsewhere" {
  if (holder.name !== here.name || holder.home !== here.home) return "elsewhere";
  if (holder.boot !== here.boot) return "earlier";
  return holder.processes === here.processes ? "here" : "elsewhere";
}

/** One column has it all; names of hosts have no blanks. */
export function textOf({ name, home, boot, processes }: ClaimHost): string {
  return [name, home, boot, processes].join(" ");
}

export function hostOf(text: string): ClaimHost {
  const [name = "", home = "", boot = "", processes = ""] = text.split(" ");
  return { name, home, boot, processes };
}
