import { AppError } from "../../src/lib/errors.ts";

/** The refusal of a body; anything else that it throws is thrown again. */
export function thrown(body: () => unknown): AppError {
  try {
    body();
  } catch (error: unknown) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
