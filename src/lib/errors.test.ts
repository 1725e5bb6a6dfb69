import { expect, test } from "vitest";
import { AppError } from "./errors.ts";

test("an error of another bundle in the same process is recognized", async () => {
  const built: string = "../../dist/lib/lib/errors.js";
  const other: { AppError: typeof AppError } = await import(built);
  expect(other.AppError).not.toBe(AppError);
  expect(new other.AppError("usage", "wrong", { hint: "none" })).toBeInstanceOf(AppError);
  expect(new Error("wrong")).not.toBeInstanceOf(AppError);
  expect({ code: "usage" }).not.toBeInstanceOf(AppError);
});
