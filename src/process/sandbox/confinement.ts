/** What a confined program sees of this machine, and the call of bubblewrap that makes it so (ADR 0011). Pure. */

export interface Confinement {
  /** Absolute path of bubblewrap. */
  readonly bubblewrap: string;
  /** Of two rules the one for the deeper path holds there, and of two for the same path the later one. All paths are real. */
  readonly rules: readonly Rule[];
  /** The places that `rules` hide, for what is looked for later. */
  readonly hidden: readonly string[];
}

export type Rule =
  /** An empty folder, which stays empty. */
  | { readonly type: "hidden"; readonly at: string }
  /** A file or socket that cannot be opened. */
  | { readonly type: "closed"; readonly at: string }
  /** An empty folder to write in, gone with the program. */
  | { readonly type: "scratch"; readonly at: string }
  /** What lies there, or at `from`. */
  | { readonly type: "readable" | "writable"; readonly at: string; readonly from?: string }
  | { readonly type: "link"; readonly at: string; readonly to: string };

export interface Call {
  readonly file: string;
  readonly argv: readonly string[];
}

/** Namespaces of its own but for the network, and no capability in any of them: without that a mount could be undone. */
const alone =
  "--unshare-user --uid 1000 --gid 1000 --cap-drop ALL --disable-userns --unshare-pid --unshare-ipc --unshare-uts --die-with-parent --new-session".split(
    " ",
  );

/** Settings of the whole machine: as root bubblewrap leaves the first of them open for writing. Some kernels lack some. */
const kernelSettings = ["sys", "bus", "fs", "irq", "sysrq-trigger"].flatMap((name) => [
  "--ro-bind-try",
  `/proc/${name}`,
  `/proc/${name}`,
]);

/** @param cwd a real path that is shown */
export function confinedCall({ bubblewrap, rules }: Confinement, { file, argv }: Call, cwd: string): Call {
  const ordered = inOrder(rules);
  const machine = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...kernelSettings];
  // A write that vanished would be believed by whoever wrote.
  const empty = ordered.flatMap(({ type, at }) => (type === "hidden" ? ["--remount-ro", at] : []));
  const places = [...ordered.flatMap(argumentsOf), ...empty];
  return { file: bubblewrap, argv: [...alone, ...machine, ...places, "--chdir", cwd, "--", file, ...argv] };
}

/**
 * Folders before what lies in them. A link is made in what is empty; elsewhere it is there, or a link above it leads there.
 * In a hidden folder there is nothing left to hide.
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
      // A device, and nothing but the sandbox's own devices may be opened.
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
