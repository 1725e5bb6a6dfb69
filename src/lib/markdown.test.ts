import { expect, test } from "vitest";
import { fencesOf } from "./markdown.ts";
import { inCi } from "../../test/verifies.ts";

/** `o` opens, `i` inside, `c` closes, `.` is text. */
function roles(text: string): string {
  const letters = { opens: "o", inside: "i", closes: "c" };
  return fencesOf(text.split("\n"))
    .map(({ role }) => (role === null ? "." : letters[role]))
    .join("");
}

test("fences begin and end as CommonMark says (fault P9)", () => {
  const table: readonly (readonly [text: string, roles: string])[] = [
    ["```\ncode\n```\ntext", "oic."],
    ["```js\n~~~\n````\ntext", "oic."],
    ["~~~ `a` ```\n```\n~~~", "oic"],
    ["````\n```\n````", "oic"],
    ["```one line```\ntext\n```\nx", "..oi"],
    ["``` a`b\ntext", ".."],
    ["``\nx\n``", "..."],
    ["   ```\n code\n   ```", "oic"],
    ["    ```\ntext\n    ```", "..."],
    ["```\ncode\n    ```\nmore\n``` js\n```", "oiiiic"],
    ["```\nnever closed\n\nend", "oiii"],
    ["text\n```\ncode\n```", ".oic"],
    ["> ```\n> code\n> ```\ntext", "oic."],
    ["> ```\n> code\ntext\n```\nx", "oi.oi"],
    ["> a\n> > ~~~\n> > b\n> c\n> ```\n> d", ".oi.oi"],
    ["- ```\n  code\n  ```\n- text", "oic."],
    ["- a\n\n  ```\n  code\n\n  more\ntext", "..oiii."],
    ["1. one\n   ```js\n   x\n   ```\n2. two", ".oic."],
    ["10) x\n    ```\n    y\n    ```", ".oic"],
    ["- - ```\n    a\n    ```", "oic"],
    ["-\n  ```\n  a\n  ```", ".oic"],
    ["* * *\n  ```\n  a\n  ```", ".oic"],
    ["-     ```\ntext", ".."],
    ["- a\n```\nb\n```\nc", ".oic."],
    ["- a\n\t```\n\tb\n\t```", ".oic"],
    ["\t```\nx", ".."],
    ["```\r\ncode\r\n```\r\ntext", "oic."],
  ];
  expect(table.filter(([text, found]) => roles(text) !== found).map(([text]) => [text, roles(text)])).toEqual(
    [],
  );
});

test("code is without the indent of what is around it, and the info is what stands behind the marks", () => {
  const lines = fencesOf([
    "> - ~~~ json  x",
    ">   {",
    ">      }",
    ">   ~~~",
    "  ```js",
    "    a",
    " b",
    "  ```",
  ]);
  expect(lines.map(({ info, code }) => info + code)).toEqual([
    "json  x",
    "{",
    "   }",
    "",
    "js",
    "  a",
    "b",
    "",
  ]);
});

inCi("a text of many megabytes is read in one pass", () => {
  const began = performance.now();
  const lines = Array.from(
    { length: 400_000 },
    (_, at) => ["> - `x`", "```", "    ", `${">".repeat(50)} a`][at % 4] ?? "",
  );
  expect(fencesOf(lines)).toHaveLength(400_000);
  expect(performance.now() - began).toBeLessThan(20_000);
});
