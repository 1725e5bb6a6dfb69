import { AppError } from "../errors.ts";

/** @param example the command with a port, for the hint */
export function readPort(text: string, example: string): number {
  const port = Number(text);
  if (/^\d+$/u.test(text) && port <= 65_535) return port;
  throw new AppError("usage", `${text} is not a port`, { hint: `${example}, or 0 for a free one` });
}
