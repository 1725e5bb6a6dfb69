import { AppError } from "./errors.ts";

/** Refuses data written by a newer major version without reading any of it (CORE-100). @throws version_unsupported */
export function refuseNewer(
  raw: unknown,
  { what, known }: { readonly what: string; readonly known: number },
): void {
  const version: unknown =
    typeof raw === "object" && raw !== null && "version" in raw ? raw.version : undefined;
  if (typeof version !== "number" || !Number.isInteger(version) || version <= known) return;
  throw new AppError(
    "version_unsupported",
    `${what} has version ${version}, this Mettle reads version ${known}`,
    {
      hint: "Use a newer Mettle for it; it was left as it is.",
      detail: { what, found: version, known },
    },
  );
}
