/** Describes what a confined program sees of this machine, and builds the bubblewrap call for it (ADR 0011). Pure. */

export interface Confinement {
  /** Absolute path of bubblewrap. */
  readonly bubblewrap: string;
  /** The rule with the deeper path wins; for the same path the later one. All paths are real paths. */
  readonly rules: readonly Rule[];
  /** The folders that `rules` hide. */
  readonly hidden: readonly string[];
  /** Only an own loopback interface, and no socket of another program; default: the network of the machine. */
  readonly network?: "loopback";
  /** A program with its arguments that starts the confined one. */
  readonly through?: readonly string[];
  /** The ids that the program sees as its own; default 1000. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Variables that only the program gets: the loader of bubblewrap must not read them. */
  readonly variables?: Readonly<Record<string, string>>;
}

export type Rule =
  /** Replaced by an empty, read-only folder. */
  | { readonly type: "hidden"; readonly at: string }
  /** A file or socket that cannot be opened. */
  | { readonly type: "closed"; readonly at: string }
  /** An empty, writable folder that ends with the program. */
  | { readonly type: "scratch"; readonly at: string }
  /** Shows the path itself, or `from` in its place. */
  | { readonly type: "readable" | "writable"; readonly at: string; readonly from?: string }
  | { readonly type: "link"; readonly at: string; readonly to: string };

export interface ProgramCall {
  readonly file: string;
  readonly argv: readonly string[];
}

/** Separate namespaces without capabilities: otherwise the program could undo a mount. */
function namespaces({ network, user = { uid: 1000, gid: 1000 } }: Confinement): readonly string[] {
  const { uid, gid } = user;
  const own = `--unshare-user --uid ${uid} --gid ${gid} --cap-drop ALL --disable-userns --unshare-pid --unshare-ipc --unshare-uts`;
  return [
    ...own.split(" "),
    ...(network === "loopback" ? ["--unshare-net"] : []),
    "--die-with-parent",
    "--new-session",
  ];
}

/** Kernel settings: for root, bubblewrap leaves `sys` writable. Some kernels lack some of them. */
const kernelSettings = ["sys", "bus", "fs", "irq", "sysrq-trigger"].flatMap((name) => [
  "--ro-bind-try",
  `/proc/${name}`,
  `/proc/${name}`,
]);

/** @param cwd real path, visible in the sandbox */
export function confinedCall(
  confinement: Confinement,
  { file, argv }: ProgramCall,
  cwd: string,
): ProgramCall {
  const { bubblewrap, rules, variables = {}, through = [] } = confinement;
  const ordered = inOrder(rules);
  const machine = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...kernelSettings];
  // Read-only, so that a write fails instead of vanishing.
  const empty = ordered.flatMap(({ type, at }) => (type === "hidden" ? ["--remount-ro", at] : []));
  const places = [...ordered.flatMap(argumentsOf), ...empty];
  return {
    file: bubblewrap,
    argv: [
      ...namespaces(confinement),
      ...machine,
      ...places,
      ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
      "--chdir",
      cwd,
      "--",
      ...through,
      file,
      ...argv,
    ],
  };
}

/**
 * Sorts folders before their content. Keeps a link only below an empty folder, since bubblewrap can create it only there, and
 * drops what is hidden below a hidden folder.
 */
function inOrder(rules: readonly Rule[]): readonly Rule[] {
  const last = new Map(rules.map((rule) => [rule.at, rule]));
  const sorted = [...last.values()].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return sorted.filter(({ type, at }) => {
    const around = sorted.findLast((rule) => isBelow(at, rule.at))?.type;
    if (type === "link") return around === "hidden" || around === "scratch";
    return (type !== "hidden" && type !== "closed") || around !== "hidden";
  });
}

function argumentsOf(rule: Rule): readonly string[] {
  switch (rule.type) {
    case "hidden":
    case "scratch":
      return ["--tmpfs", rule.at];
    case "closed":
      // A device file outside the sandbox's /dev cannot be opened.
      return ["--ro-bind", "/dev/null", rule.at];
    case "readable":
      return ["--ro-bind", rule.from ?? rule.at, rule.at];
    case "writable":
      return ["--bind", rule.from ?? rule.at, rule.at];
    case "link":
      return ["--symlink", rule.to, rule.at];
  }
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}
