declare const METTLE_VERSION: string | undefined;

/** The version of this program; the build inserts it. */
export function version(): string {
  return typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source";
}
