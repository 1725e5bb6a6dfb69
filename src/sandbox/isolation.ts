import type { BlockedAttempts, SandboxProbe } from "../process/sandbox/probe.ts";

type Confines = Extract<SandboxProbe, { readonly type: "confines" }>;

const names: Readonly<Record<keyof BlockedAttempts, string>> = {
  write: "write",
  umount: "umount",
  rename: "rename",
  state_home: "state home",
  user_home: "user home",
  connect: "connect",
  kernel: "kernel settings",
  root_only: "root's files",
  network: "network",
};

/** `bubblewrap 0.8.0 (held: write, …; not held: connect; network open)`: each attempt of the probe with its result. */
export function isolationOf({ version, held }: Confines): string {
  const named = (wanted: boolean) =>
    (Object.keys(names) as (keyof BlockedAttempts)[]).flatMap((key) =>
      held[key] === wanted ? [names[key]] : [],
    );
  const parts = [
    ...(named(true).length > 0 ? [`held: ${named(true).join(", ")}`] : []),
    ...(named(false).length > 0 ? [`not held: ${named(false).join(", ")}`] : []),
    ...(held.network === undefined ? ["network open"] : []),
  ];
  return `bubblewrap ${version} (${parts.join("; ")})`;
}

/** Whether the sandbox blocked every attempt of the probe. */
export function blocksAll({ held }: Confines): boolean {
  return Object.values(held).every(Boolean);
}
