import { homedir } from "node:os";

/**
 * The only reader of this process's environment, and of the user's home folder. Everyone else is given what it needs.
 */
export type Env = Readonly<Record<string, string>>;

/** The whole environment of this process, as it is now. */
export function environment(): Env {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) found[name] = value;
  return found;
}

/** The value of a variable; an empty one counts as not set. */
export function variable(name: string, env: Env = environment()): string | null {
  const value = env[name];
  return value === undefined || value === "" ? null : value;
}

/** The user's home folder: `HOME`, else what the system says. */
export function userHome(env: Env = environment()): string {
  return variable("HOME", env) ?? homedir();
}

/** Plain text wanted: https://no-color.org */
export function noColor(env: Env = environment()): boolean {
  return variable("NO_COLOR", env) !== null;
}

/** Names whose values must never be stored or shown (CORE-48). */
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;

/** Values of variables with a secret's name, for lib/mask.ts. */
export function secretValues(env: Env = environment()): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []));
}

/** How a program reaches the network, and whom it trusts there. */
export const networkVariables: readonly string[] = [
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

/** Those of the variables that are set. */
export function chosen(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}
