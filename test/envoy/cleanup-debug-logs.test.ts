import { chmod, lstat, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { envoy } from "../../src/envoy/envoy.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { callHere } from "../cli/here.ts";
import { inCi, verifies } from "../verifies.ts";

const js = "// [DEBUG-TEMP]";
const py = "# [DEBUG-TEMP]";

let repository: TempRepository;
let outside: string;
beforeAll(async () => {
  outside = newFolder();
  repository = await createRepository({ files: { ".gitignore": "build/\n", "a.ts": "a();\n" } });
});

async function call(...options: readonly string[]): Promise<Record<string, unknown>> {
  const here = await callHere(
    ["plan", "cleanup-debug-logs", ...options],
    { cwd: repository.dir, env: { PATH: process.env["PATH"] ?? "", HOME: outside } },
    envoy,
  );
  expect(here.stderr).toBe("");
  const { status, data } = JSON.parse(here.stdout) as { status: string; data: Record<string, unknown> };
  expect(status).toBe("success");
  return data;
}
const read = (file: string) => readFile(join(repository.dir, file));

/** Resets the checkout to exactly these files. */
async function given(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  await repository.git("clean", "-ffdqx");
  await repository.git("checkout", "--quiet", "--", ".");
  await repository.write(files);
}

verifies(
  "ENV-24",
  "a marker block ends at the first blank line, and a second run finds nothing",
  async () => {
    await given({
      "seed.ts": `${js}\nconsole.log("debug output");\nconsole.log("more debug");\n\n// real code here (blank line above preserves this)\n`,
      "spaces.py": `a = 1\n    ${py}\n    print(a)\n \t \nb = 2\n`,
      "end.js": `a();\n\n${js}\nlog(a)`,
      "two.sh": `${py}\necho 1\n${py}\necho 2\n\nreal\n\n${py}\n\n`,
      "none.ts": "const s = '[DEBUG-TEMP]';\n",
      // Instructions that describe markers do not contain any (fault L5).
      ".claude/protocols/debugging.yaml": `about: write ${js} above it\n`,
      ".mettle/protocols/own.yaml": `about: write ${py} above it\n`,
    });
    expect(await call()).toEqual({
      success: true,
      files_modified: ["end.js", "seed.ts", "spaces.py", "two.sh"],
      markers_removed: 6,
      unrecognized_markers: ["none.ts:1"],
      skipped: [],
      rescue_ref: "refs/mettle/rescue/envoy/cleanup-debug-logs",
    });
    const left = await Promise.all(["seed.ts", "spaces.py", "end.js", "two.sh"].map(read));
    expect(left.map(String)).toEqual([
      "\n// real code here (blank line above preserves this)\n",
      "a = 1\n \t \nb = 2\n",
      "a();\n\n",
      "\nreal\n\n\n",
    ]);
    const nothing = { success: true, files_modified: [], markers_removed: 0, skipped: [] };
    expect(await call()).toEqual({ ...nothing, unrecognized_markers: ["none.ts:1"] });
  },
);

verifies(
  "ENV-32",
  "only a line with nothing but the marker of its language is a marker; others stay and are listed",
  async () => {
    const exact = ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"].map((end) => `x.${end}`);
    const hashed = ["x.py", "x.sh", "x.bash"];
    const others: Readonly<Record<string, string>> = {
      "after.ts": `f(); ${js}\n`,
      "doc.py": `"""\n${py}\n"""\n`,
      "here.sh": `cat <<EOF\n${py}\nEOF\n`,
      "lib.go": `${js}\n`,
      "notes.md": `${js}\n`,
      "other.py": `${js}\n`,
      "other.ts": `${py}\n`,
      "string.ts": `const s = "${js}";\n`,
      "template.ts": `const s = \`\n${js}\n\`;\n`,
      "words.rb": `${py}\n`,
    };
    await given({
      ...others,
      ...Object.fromEntries(exact.map((file) => [file, `a\n \t${js} \nlog\n\nb\n`])),
      ...Object.fromEntries(hashed.map((file) => [file, `a\n${py}\nlog\n\nb\n`])),
    });
    const files = [...exact, ...hashed].toSorted();
    expect(await call()).toMatchObject({
      files_modified: files,
      markers_removed: files.length,
      unrecognized_markers: Object.entries(others).map(([file, text]) => {
        const line = text.split("\n").findIndex((part) => part.includes("[DEBUG-TEMP]")) + 1;
        return `${file}:${line}`;
      }),
    });
    for (const file of files) expect(String(await read(file))).toBe("a\n\nb\n");
    for (const [file, text] of Object.entries(others)) expect(String(await read(file))).toBe(text);
  },
);

verifies(
  "ENV-94",
  "only files of this worktree are read; they keep their bytes, and are saved before they change",
  async () => {
    const bytes = Buffer.from(`\xef\xbb\xbfn = "J\xf6rg"\r\n${py}\r\nprint(n)\r\n\r\nlast`, "latin1");
    const marked = `${js}\nlog();\n\nend();\n`;
    await writeFile(join(outside, "outside.ts"), marked);
    await given({
      "a.ts": `a();\n${js}\nlog();`,
      "bytes.py": bytes,
      "run.sh": `#!/bin/sh\n${py}\nset -x\n\nexit\n`,
      "build/ignored.ts": marked,
      "node_modules/x/index.js": marked,
      "nested/inside.ts": marked,
    });
    await repository.git("init", "--quiet", "nested");
    await chmod(join(repository.dir, "run.sh"), 0o775);
    await symlink(join(outside, "outside.ts"), join(repository.dir, "link.ts"));
    await repository.git("worktree", "add", "--quiet", "--detach", "other");
    await writeFile(join(repository.dir, "other/a.ts"), marked);
    const head = await repository.git("rev-parse", "HEAD");

    expect(await call("--dry-run")).toMatchObject({
      files_modified: [],
      markers_removed: 0,
      would_remove: [
        { path: "a.ts", lines: "2-3", text: `${js}\nlog();` },
        { path: "bytes.py", lines: "2-3", text: `${py}\r\nprint(n)\r\n` },
        { path: "run.sh", lines: "2-3", text: `${py}\nset -x\n` },
      ],
    });
    expect(await read("bytes.py")).toEqual(bytes);

    const { rescue_ref: ref, ...done } = await call();
    expect(done).toMatchObject({ files_modified: ["a.ts", "bytes.py", "run.sh"], markers_removed: 3 });
    expect((await read("bytes.py")).toString("latin1")).toBe('\xef\xbb\xbfn = "J\xf6rg"\r\n\r\nlast');
    expect(String(await read("a.ts"))).toBe("a();\n");
    expect((await lstat(join(repository.dir, "run.sh"))).mode & 0o777).toBe(0o775);
    for (const file of ["build/ignored.ts", "node_modules/x/index.js", "nested/inside.ts", "other/a.ts"])
      expect(String(await read(file))).toBe(marked);
    expect(String(await readFile(join(outside, "outside.ts")))).toBe(marked);
    expect((await lstat(join(repository.dir, "link.ts"))).isSymbolicLink()).toBe(true);

    expect(await repository.git("rev-parse", "HEAD")).toBe(head);
    expect(await repository.git("diff", "--cached", "--name-only")).toBe("");
    await repository.git("restore", `--source=${String(ref)}`, "--", "bytes.py", "a.ts", "run.sh");
    expect(await read("bytes.py")).toEqual(bytes);
    expect(String(await read("a.ts"))).toBe(`a();\n${js}\nlog();`);
    await repository.git("worktree", "remove", "--force", "other");
  },
);

test("a folder that was replaced by a link is not followed", async () => {
  await given({ "sub/x.ts": "x();\n" });
  await repository.commit();
  await rm(join(repository.dir, "sub"), { recursive: true });
  await writeFile(join(outside, "x.ts"), `${js}\nlog();\n`);
  await symlink(outside, join(repository.dir, "sub"));
  expect(await call()).toMatchObject({ files_modified: [], unrecognized_markers: [] });
  expect(String(await readFile(join(outside, "x.ts")))).toBe(`${js}\nlog();\n`);
  await rm(join(repository.dir, "sub"));
});

test("a file of 1 GB with a marker is reported and not read whole", async () => {
  await given({});
  const handle = await open(join(repository.dir, "big.ts"), "w");
  // A sparse file; the marker spans two of the chunks that are read.
  await handle.truncate(1024 * 1024 * 1024);
  await handle.write(js, 1024 * 1024 - 8);
  await handle.close();
  const before = process.memoryUsage().rss;
  expect(await call()).toMatchObject({
    files_modified: [],
    skipped: [{ path: "big.ts", reason: expect.stringContaining("larger than 4 MiB") as string }],
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
});

inCi("committed markers are saved too, and each state has its own ref", async () => {
  await given({ "a.ts": `${js}\nlog();\n` });
  await repository.commit();
  const first = await call();
  await repository.write({ "a.ts": `${js}\nlog(2);\n` });
  const second = await call();
  expect(first["rescue_ref"]).not.toBe(second["rescue_ref"]);
  expect(await repository.git("show", `${String(first["rescue_ref"])}:a.ts`)).toBe(`${js}\nlog();`);
  expect(await repository.git("show", `${String(second["rescue_ref"])}:a.ts`)).toBe(`${js}\nlog(2);`);
});
