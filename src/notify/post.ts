/** Sends a notice to an address of the user, bounded in time; the answer is not read, and no other address is followed. */
import { variable, type Env } from "../config/env.ts";

export interface Post {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** @param address as in the settings: `https://…`, or `$NAME` @returns why it failed, without the address; null: it was taken */
export async function post(
  address: string,
  env: Env,
  { body, headers, signal }: Post,
): Promise<string | null> {
  const name = address.startsWith("$") ? address.slice(1) : null;
  const given = name === null ? address : variable(name, env);
  if (given === null) return `the variable ${name} is not set`;
  if (!URL.canParse(given) || !/^https?:/iu.test(given)) return `the variable ${name} holds no address`;
  try {
    const response = await fetch(given, { method: "POST", body, headers, signal, redirect: "manual" });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The message of the error may hold the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  if (error.name === "TimeoutError") return "no answer in time";
  if (error.name === "AbortError") return "stopped";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "the request failed";
}
