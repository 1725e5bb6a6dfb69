import { expect, test } from "vitest";
import { sha256 } from "./hash.ts";
import { smallSha256 } from "./small-sha256.ts";

test("it is SHA-256, for texts of every length around the ends of its blocks", () => {
  const texts = Array.from({ length: 200 }, (_, length) => "Ωx/".repeat(70).slice(0, length));
  for (const text of [...texts, "/home/a/repository/.git", "😀".repeat(500)])
    expect(`sha256:${smallSha256(text)}`).toBe(sha256(text));
});
