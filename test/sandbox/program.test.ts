/** An agent's program in the sandbox: its login, the programs it starts, and a failing bubblewrap. */
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Program } from "../../src/agents/program-options.ts";
import { runProgram } from "../../src/agents/program.ts";
import type { Confinement } from "../../src/process/sandbox/confinement.ts";
import { confinesHere } from "./bubblewrap.ts";
import { confinementAt } from "./confinement-at.ts";

describe.skipIf(!confinesHere())("a confined program (SKIPPED without bubblewrap)", () => {
  let root: string;
  let confinement: Confinement;
  let output: string;
  const place = () => ({ cwd: join(root, "work"), wallMs: 20_000, idleMs: 20_000, confinement });
  const program = (script: string, more: Partial<Program> = {}): Program => ({
    file: "/bin/sh",
    argv: ["-c", script],
    env: { PATH: process.env["PATH"] ?? "", HOME: join(root, "home") },
    input: "",
    onLine: ({ text }) => (output += text),
    ...more,
  });
  const play = (...given: Parameters<typeof program>) => {
    output = "";
    return runProgram(program(...given), place(), new AbortController().signal);
  };
  beforeAll(async () => {
    root = await realpath(await mkdtemp("/tmp/mettle-confined-"));
    for (const name of ["work", "home", "user"]) await mkdir(join(root, name));
    await writeFile(join(root, "user", "login"), "old");
    await writeFile(join(root, "user", "secret"), "secret");
    await symlink(join(root, "user", "login"), join(root, "home", "login"));
    confinement = await confinementAt({ cwd: join(root, "work"), home: join(root, "home") });
  });
  afterAll(() => rm(root, { recursive: true }));

  test("reads and renews its login, and sees nothing else", async () => {
    const login = join(root, "user", "login");
    const script = `cat "$HOME/login"; printf new > "$HOME/login"; ls ${root}/user`;
    expect(await play(script, { login })).toMatchObject({ type: "exited", code: 0 });
    expect(output).toBe("oldlogin");
    expect(await readFile(login, "utf8")).toBe("new");
    expect(await play('cat "$HOME/login"')).toMatchObject({ type: "exited", code: 1 });
  });

  test("can read a script named by an argument and a file named by a variable", async () => {
    const [script, file] = [join(root, "user", "script"), join(root, "user", "secret")];
    await writeFile(script, 'cat "$FILE"; echo x >> "$FILE" || exit 7');
    const env = { PATH: process.env["PATH"] ?? "", FILE: file };
    expect(await play("", { argv: [script], env })).toMatchObject({ type: "exited", code: 7 });
    expect(output).toBe("secret");
  });

  test("a program that does not exist is missing", async () => {
    expect(await play("", { file: "no-such-agent" })).toMatchObject({ type: "missing" });
  });

  test("if bubblewrap does not start, no agent starts, and the environment is at fault", async () => {
    const broken = join(root, "bwrap");
    await writeFile(broken, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", {
      mode: 0o755,
    });
    for (const [bubblewrap, why] of [
      [join(root, "gone"), "ENOENT"],
      [broken, "No permissions"],
    ] as const) {
      const started = runProgram(
        program("touch started"),
        { ...place(), confinement: { ...confinement, bubblewrap } },
        new AbortController().signal,
      );
      await expect(started).rejects.toMatchObject({
        code: "sandbox_missing",
        message: expect.stringContaining(why),
      });
    }
    await expect(readFile(join(root, "work", "started"))).rejects.toThrow("ENOENT");
  });
});
