import { AppError } from "../../lib/errors.ts";

/**
 * The part of a store's URL that messages may show: `host:port/database`, without user, password and parameters.
 * @throws config_invalid, without the URL, for what is no URL of PostgreSQL
 */
export function placeOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !["postgres:", "postgresql:"].includes(parsed.protocol)) {
    throw new AppError("config_invalid", "the URL of the store is no URL of PostgreSQL", {
      hint: "Write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @ and %2F for / in user and password.",
    });
  }
  const host = parsed.hostname || (parsed.searchParams.get("host") ?? "localhost");
  return `${host}:${parsed.port || "5432"}${parsed.pathname}`;
}
