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
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL/i;
/** Names that a secret often has, and a path or an address too. */
const likelyName = /(?:^|_)(?:AUTH|COOKIE|CREDS?|DSN|PASS|PAT|PSW|PWD|WEBHOOK)(?:_|$)/i;
const folderNames = /^(?:OLD)?PWD$/;

/**
 * Values of variables with a secret's name, for lib/mask.ts, and of those that are handed on to agents or tests: whoever
 * names a variable for that has a reason, and only what is plainly a word, a path or a place is no secret.
 * @param handedOn names of such variables
 */
export function secretValues(env: Env = environment(), handedOn: readonly string[] = []): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (secretName.test(name)) return [value];
    const isLikely = likelyName.test(name) && !folderNames.test(name);
    const isSecret = (isLikely || handedOn.includes(name)) && !isLocation(value);
    return isSecret && (isLikely || !isWord(value)) ? [value] : [];
  });
}

/** A path, a list of paths, or the address of a host without a login. */
function isLocation(value: string): boolean {
  return /^[~.]{0,2}\/[\w.@+:/ -]*$/.test(value) || /^\w+:\/\/[^@\s/?]+\/?$/.test(value);
}

/** A mode, a number, a version, a locale, a region, a time zone. */
function isWord(value: string): boolean {
  return /^(?:[A-Za-z]{1,12}|[\d.,]{1,11}|v?\d+(?:\.\d+)+|[a-z]{2}[_-][A-Z]{2}(?:\.[\w-]+)?|C\.UTF-8|[a-z]{2}(?:-[a-z]+)+-?\d|[A-Z][A-Za-z]+\/[A-Za-z_]+|xterm[\w-]*)$/.test(
    value,
  );
}

/** How a program reaches the network, and whom it trusts there. */
export const networkVariables: readonly string[] = [
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

/** Those of the variables that are set. */
export function pickVariables(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}
