import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";

test("wide letters and emoji take two columns, combining marks none", () => {
  const columns = (...texts: readonly string[]) => texts.map(columnsOf);
  expect(columns("", "abc", "│ ─┐", "äöü", "a\u0308")).toEqual([0, 3, 4, 3, 1]);
  expect(columns("日本語", "テスト", "한국어", "ＡＢ", "✅", "⚠️", "👩‍👩‍👧", "🇩🇪")).toEqual([
    6, 6, 6, 4, 2, 2, 2, 2,
  ]);
  expect(columns("✔ ok", "ℹ tests 7", "Ω₁ᴾ→Ω₂ᴬ", "…")).toEqual([4, 9, 7, 1]);
});
