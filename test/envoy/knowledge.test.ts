import { chmod, symlink, writeFile } from "node:fs/promises";
import { readdirSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { envoy } from "../../src/envoy/envoy.ts";
import { search as searchFiles } from "../../src/knowledge/search.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { callHere, type InProcessResult } from "../cli/here.ts";
import { verifies } from "../verifies.ts";

interface Result {
  readonly resource_path: string;
  readonly similarity: number;
  readonly token_count: number;
  readonly description: string;
  readonly relevant_files: readonly string[];
  readonly full_resource_context?: string;
}

let home: string;
const made: TempRepository[] = [];
beforeAll(() => void (home = newFolder()));

async function world(files: Readonly<Record<string, string | Buffer>>): Promise<TempRepository> {
  const repository = await createRepository({ files });
  made.push(repository);
  return repository;
}

function call(dir: string, args: readonly string[], stateHome = home): Promise<InProcessResult> {
  // The whole environment: no key, no proxy, no network.
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, METTLE_HOME: stateHome };
  return callHere(["knowledge", "search", ...args], { cwd: dir, env }, envoy);
}

async function search(dir: string, phrase: string, stateHome = home) {
  const { code, stdout } = await call(dir, ["docs", phrase], stateHome);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { data: { results: Result[]; skipped: unknown[]; note?: string } }).data;
}

const documents = {
  "docs/retries.md": `---
description: How failed calls are sent again
relevant_files:
  - src/http/retry.ts
---
# Retries

A request that fails because of the network is repeated up to three times. The delay doubles each time.
`,
  "docs/redaction.md": `# Redaction

Fields that hold credentials are masked by \`src/log/mask.ts\` before a line is logged. See [the logger](src/log/logger.ts).
`,
  "guide/styling.mdx": `import { Tabs } from "tabs";

# Themes

Colours are variables of CSS. A dark theme overrides them in \`nowhere.css\`.
`,
  "src/http/retry.ts": "export {};\n",
  "src/log/mask.ts": "export {};\n",
  "src/log/logger.ts": "export {};\n",
};

verifies(
  "ENV-50",
  "a phrase in other words finds the current document first, offline and reproducibly",
  async () => {
    const connects = vi.spyOn(Socket.prototype, "connect");
    const repository = await world(documents);
    const { results, ...rest } = await search(
      repository.dir,
      "keep passwords and tokens out of the log output",
    );
    expect(rest).toEqual({ skipped: [] });
    expect(results[0]).toEqual({
      resource_path: "docs/redaction.md",
      similarity: expect.any(Number) as number,
      token_count: Math.ceil(documents["docs/redaction.md"].length / 4),
      description:
        "Fields that hold credentials are masked by src/log/mask.ts before a line is logged. See the logger.",
      relevant_files: ["src/log/mask.ts", "src/log/logger.ts"],
      full_resource_context: documents["docs/redaction.md"],
    });
    const [retries] = (await search(repository.dir, "try a broken http call once more after a pause"))
      .results;
    expect(retries).toMatchObject({
      resource_path: "docs/retries.md",
      description: "How failed calls are sent again",
      relevant_files: ["src/http/retry.ts"],
    });
    const [themes] = (await search(repository.dir, "change the coloring of the pages")).results;
    expect(themes).toMatchObject({
      resource_path: "guide/styling.mdx",
      description: "Colours are variables of CSS. A dark theme overrides them in nowhere.css.",
      relevant_files: [],
    });

    // Untracked and uncommitted files are searched, from a subfolder too.
    await repository.write({ "docs/redaction.md": "# Redaction\n\nNothing is left.\n" });
    await repository.write({ "docs/secrets.md": "# Secrets\n\nPasswords are never written to a log.\n" });
    const phrase = "keep passwords out of the log output";
    const after = await search(join(repository.dir, "docs"), phrase);
    expect(after.results[0]?.resource_path).toBe("docs/secrets.md");
    expect(after.results.map((result) => result.resource_path)).not.toContain("docs/redaction.md");
    const again = [
      await call(repository.dir, ["docs", phrase]),
      await call(repository.dir, ["docs", phrase]),
    ];
    expect(again[0]).toEqual(again[1]);
    // A new index gives the same results as an updated one.
    expect(await search(repository.dir, phrase, join(home, "other"))).toEqual(after);
    await repository.write({ "docs/secrets.md": null });
    expect((await search(repository.dir, phrase)).results[0]?.resource_path).not.toBe("docs/secrets.md");

    // Full texts only within 5,000 tokens in total, best first.
    const long = (name: string, times: number) =>
      `# ${name}\n\n${"The walrus sleeps on ice. ".repeat(times)}\n`;
    const many = await world({
      "a.md": "# Elephants\n\nA walrus sleeps beside them; they walk far and eat leaves all day long.\n",
      "b.md": long("Walrus", 300),
      "c.md": long("Walrus and ice", 300),
      "d.md": long("Walrus again", 300),
      "e.md": "# Elephants\n\nNone.\n",
    });
    const { results: found } = await search(many.dir, "where does the walrus sleep");
    expect(found.map(({ resource_path }) => resource_path)).toEqual(["b.md", "c.md", "d.md", "a.md"]);
    const similar = found.map(({ similarity }) => similarity);
    expect(similar).toEqual(similar.toSorted((one, other) => other - one));
    expect(similar[0]).toBeGreaterThan(similar.at(-1) ?? 1);
    for (const similarity of similar) expect(similarity > 0 && similarity <= 1).toBe(true);
    expect(found.map((one) => one.full_resource_context !== undefined)).toEqual([true, true, false, true]);
    const given = found.filter((one) => one.full_resource_context !== undefined);
    expect(given.reduce((sum, { token_count }) => sum + token_count, 0)).toBeLessThanOrEqual(5_000);
    expect(connects).not.toHaveBeenCalled();
    connects.mockRestore();
  },
);

verifies(
  "ENV-41",
  "no match is an answer, an invalid query is an error, and unreadable files are named",
  async () => {
    const empty = await world({ "index.ts": "export {};\n" });
    const filled = await world({ ...documents, "binary.md": Buffer.from([0x23, 0x20, 0, 1, 2]) });
    await symlink("nowhere", join(filled.dir, "broken.md"));
    await symlink("docs/retries.md", join(filled.dir, "again.md"));
    await writeFile(join(home, "outside.md"), "# Outside\n\nRedaction of passwords.\n");
    await symlink(join(home, "outside.md"), join(filled.dir, "outside.md"));
    await writeFile(join(filled.dir, "closed.md"), "# Closed\n");
    await chmod(join(filled.dir, "closed.md"), 0);
    // Root can read every file.
    const closed =
      process.getuid?.() === 0 ? [] : [{ path: "closed.md", reason: expect.any(String) as string }];

    expect(await search(empty.dir, "anything at all")).toEqual({
      results: [],
      skipped: [],
      note: "there is no documentation",
    });
    expect(await search(filled.dir, "xylophone quartet")).toEqual({
      results: [],
      note: "nothing matches",
      skipped: [
        { path: "binary.md", reason: "it is not a text" },
        { path: "broken.md", reason: "it is a broken link" },
        ...closed,
        { path: "outside.md", reason: "it is a link out of the checkout" },
      ],
    });
    for (const repository of [empty, filled]) {
      for (const [args, type] of [
        [["docs", ""], "invalid_query"],
        [["docs", " \n"], "invalid_query"],
        [["curator", "x"], "invalid_index"],
        [["constructor", "x"], "invalid_index"],
      ] as const) {
        const { code, stdout } = await call(repository.dir, args);
        expect(code).toBe(2);
        const { error } = JSON.parse(stdout) as { error: { type: string; suggestion: string } };
        expect(error.type).toBe(type);
        if (type === "invalid_index") expect(error.suggestion).toContain("docs");
      }
    }
  },
);

test("a damaged index is recreated, and an unwritable one is not needed", async () => {
  const repository = await world(documents);
  const own = join(home, "damaged");
  const first = await search(repository.dir, "failed network calls", own);
  const [folder = ""] = readdirSync(own);
  const files = readdirSync(join(own, folder, "knowledge"));
  for (const file of files)
    writeFileSync(join(own, folder, "knowledge", file), "no database at all".repeat(999));
  expect(await search(repository.dir, "failed network calls", own)).toEqual(first);
  expect(await search(repository.dir, "failed network calls", "/dev/null/nowhere")).toEqual(first);
});

test("several concurrent first searches give the same results", async () => {
  const repository = await world(documents);
  const folder = {
    root: repository.dir,
    paths: Object.keys(documents).filter((path) => path.includes(".md")),
    clock: systemClock,
  };
  const file = join(home, "several", "index.db");
  const found = await Promise.all(
    Array.from({ length: 8 }, () => searchFiles(folder, "failed network calls", file)),
  );
  for (const one of found) expect(one).toEqual(found[0]);
  expect(found[0]?.results[0]?.path).toBe("docs/retries.md");
});
