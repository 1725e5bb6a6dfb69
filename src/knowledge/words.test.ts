import { readFileSync, readdirSync } from "node:fs";
import Database from "libsql";
import { expect, test } from "vitest";
import { stem } from "./stem.ts";
import { neighboursOf } from "./thesaurus.ts";
import { termsOf, wordsOf } from "./words.ts";

test("words are stemmed like in SQLite's Porter tokenizer", () => {
  const files = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  const text = files.map((file) => readFileSync(`docs/${file}`, "utf8")).join("\n");
  const hard =
    "caresses ponies ties cats feed agreed plastered motoring sing conflated troubled sized hopping falling";
  const words = [...new Set(`${text} ${hard}`.toLowerCase().match(/[a-z]+/g))].filter(
    (word) => word.length < 20,
  );
  expect(words.length).toBeGreaterThan(1_500);

  const db = new Database(":memory:");
  db.exec(`CREATE VIRTUAL TABLE stems USING fts5(word, content='', tokenize='porter ascii');
    CREATE VIRTUAL TABLE rows USING fts5vocab(stems, 'instance')`);
  const insert = db.prepare("INSERT INTO stems(rowid, word) VALUES (?, ?)");
  for (const [index, word] of words.entries()) insert.run(index, word);
  const rows = db.prepare("SELECT doc, term FROM rows ORDER BY doc").raw().all() as [number, string][];
  db.close();
  expect(words.map((word, index) => [index, stem(word)])).toEqual(rows);
});

test("an identifier gives its parts as terms, and a stop word gives none", () => {
  expect(termsOf("getUserById")).toEqual([stem("getuserbyid"), "user", "id"]);
  expect(termsOf("HTTPServer")).toEqual(["httpserver", "http", "server"]);
  expect(termsOf("the")).toEqual([]);
  expect(termsOf("Größe")).toEqual(["große"]);
  expect(termsOf("検索機能")).toEqual(["検索", "索機", "機能"]);
  expect(termsOf("x".repeat(101))).toEqual([]);
});

test("words consist of letters and digits of any script", () => {
  const words: string[] = [];
  wordsOf("snake_case-kebab «Übergröße»—end1, 漢字 e\u0301a", (word) => words.push(word));
  expect(words).toEqual(["snake", "case", "kebab", "Übergröße", "end1", "漢字", "e\u0301a"]);
});

test("synonyms match each other in all their forms", () => {
  expect([...neighboursOf(stem("deleting"))]).toContain(stem("removal").slice(0, 5));
  expect(neighboursOf("walru").size).toBe(0);
});
