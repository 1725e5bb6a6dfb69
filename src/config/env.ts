import { homedir } from "node:os";

/**
 * The only module that reads the process environment and the user's home folder. Others receive values as arguments.
 */
export type Env = Readonly<Record<string, string>>;

/** The variable with the URL of a shared store (SCL-01). The URL may hold a password. */
export const storeVariable = "METTLE_STORE_URL";

/** The variable with the token of a person (SCL-09). */
const personVariable = "METTLE_PERSON_TOKEN";

/** The current environment of this process, without the URL of the store and the person's token: programs that Mettle starts get it from here. */
export function environment(): Env {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && name !== storeVariable && name !== personVariable) found[name] = value;
  return found;
}

/** The URL of the shared store; null: unset or empty. Only what opens the store may ask for it. */
export function storeUrl(): string | null {
  const url = process.env[storeVariable]?.trim();
  return url === undefined || url === "" ? null : url;
}

/** The token of the person who calls; null: none, so the user of the store counts. Only what asks who decides may ask for it. */
export function personToken(): string | null {
  const token = process.env[personVariable]?.trim();
  return token === undefined || token === "" ? null : token;
}

/** The value of a variable; null: unset or empty. */
export function variable(name: string, env: Env = environment()): string | null {
  const value = env[name];
  return value === undefined || value === "" ? null : value;
}

/** The user's `PATH`, on which programs are searched. */
export function programPath(env: Env = environment()): string {
  return variable("PATH", env) ?? "/usr/bin:/bin";
}

/** The user's home folder: `HOME`, else that of the system. */
export function userHome(env: Env = environment()): string {
  return variable("HOME", env) ?? homedir();
}

/** How long a run waits for a shared store that went away, in milliseconds: METTLE_STORE_WAIT in seconds, default 30. */
export function storeWaitMs(): number {
  const given = variable("METTLE_STORE_WAIT");
  return (given !== null && /^[1-9]\d{0,3}$/u.test(given) ? Number(given) : 30) * 1000;
}

/** Whether the user wants to see every event of a run, as by `--verbose`. */
export function isVerbose(): boolean {
  return variable("METTLE_VERBOSE") !== null;
}

/** Names of variables whose values must never be stored or shown (CORE-48). */
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL/i;
/** Names of secrets, but also of paths and addresses. */
const likelyName = /(?:^|_)(?:AUTH|COOKIE|CREDS?|DSN|PASS|PAT|PSW|PWD|WEBHOOK)(?:_|$)/i;
const folderNames = /^(?:OLD)?PWD$/;

/**
 * The values to mask (lib/mask.ts): those of variables with the name of a secret, and of variables passed to agents or tests,
 * unless the value is clearly a word, a path or an address; and always the URL of the store with its password.
 * @param passedOn names of the variables that settings pass to agents or tests
 */
export function secretValues(env: Env = environment(), passedOn: readonly string[] = []): readonly string[] {
  const named = Object.entries(env).flatMap(([name, value]) => {
    if (secretName.test(name)) return [value];
    const isLikely = likelyName.test(name) && !folderNames.test(name);
    const isSecret = (isLikely || passedOn.includes(name)) && !isLocation(value);
    return isSecret && (isLikely || !isWord(value)) ? [value] : [];
  });
  const token = personToken();
  return [...named, ...storeSecrets(), ...(token === null ? [] : [token])];
}

/** The URL of the store, and its password as written there and decoded. */
function storeSecrets(): readonly string[] {
  const url = storeUrl();
  if (url === null) return [];
  const { password, searchParams } = URL.canParse(url) ? new URL(url) : new URL("none:");
  const passwords = [password, ...searchParams.getAll("password")].filter((value) => value !== "");
  return [...new Set([url, ...passwords, ...passwords.map(decoded)])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a single %
  }
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

/** Proxies and certificates. */
export const networkVariables: readonly string[] = [
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
];

/** The variables of `names` that are set. */
export function pickVariables(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}

const ownVariables = /^(PATH|HOME|TMPDIR|PWD|NODE_V8_COVERAGE|NODE_TEST_CONTEXT|METTLE_\w*)$/;

/** Variables that a proof sets itself. */
export function isOwnVariable(name: string): boolean {
  return ownVariables.test(name);
}
