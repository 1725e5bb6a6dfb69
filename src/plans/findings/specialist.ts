/** Names of specialists: `frontend`, `backend_1`. */
import { AppError } from "../../lib/errors.ts";

export function readSpecialist(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/u.test(name)) return name;
  throw new AppError("invalid_name", `${JSON.stringify(name)} is no name of an agent`, {
    hint: "letters, digits, hyphens and underscores: frontend, backend_1",
  });
}
