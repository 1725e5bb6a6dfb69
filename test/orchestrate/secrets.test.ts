/** One run whose agents and person say, print and write the secrets that the settings pass on: none is stored anywhere. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { createWorld, golden, untestedFiles, type DriveResult, type World } from "./world.ts";

const passedOn = { GH_PAT: "planted4712pat", APP_PASS: "planted4713pass", ANY_NAME: "planted4714any" };
const inFile = "planted4715env";
const values = [...Object.values(passedOn), inFile];

describe("variables that are passed on to agents and tests", () => {
  let world: World;
  let driven: DriveResult;
  beforeAll(async () => {
    const settings = `version: 1\nagents:\n  env: [${Object.keys(passedOn).join(", ")}]\ntests: { envFile: .env }\n`;
    const files = { ...(await untestedFiles()), "mettle.yaml": settings, ".gitignore": ".env\n" };
    world = await createWorld(files, passedOn);
    await world.repository.write({ ".env": `DATABASE_PASSWORD=${inFile}\n` });
    const cassette = await golden();
    const { intake, coder } = cassette.roles;
    const all = values.join(" ");
    intake[0]?.does?.push({ say: `I know ${all}` });
    coder[0]?.does?.push(
      { say: `Done with ${all}` },
      { write: { path: `src/${values[1]}.js`, content: "export const name = 1;\n" } },
      { write: { path: "src/more.js", content: `export const key = "${values[2]}";\n` } },
    );
    const [first] = coder;
    if (first?.report) first.report = { ...first.report, message: `it uses ${all}` };
    driven = await world.go(cassette, undefined, { task: `Add slugify(text), not ${all}` });
    await world.cli(["abort", driven.run, "--reason", `it wrote ${all}`]);
  });

  test("files with their values are not accepted as work, and the reason names the files (fault S5)", () => {
    const texts = driven.events.map((event) => JSON.stringify(event));
    expect(texts.filter((text) => text.includes("given into src/more.js, src/[secret].js"))).not.toEqual([]);
    expect(driven.end.type).not.toBe("ended");
  });

  verifies(
    "CORE-48",
    "none of the values is in the state home, in what is printed, or in a commit (fault S5)",
    async () => {
      const files = await readdir(world.home, { recursive: true, withFileTypes: true });
      const kept = files.filter((file) => file.isFile() && !file.name.startsWith("cassette-"));
      const forms = values.flatMap((value) => [value, btoa(value).slice(0, -4)]);
      const found: string[] = [];
      for (const file of kept) {
        const text = await readFile(join(file.parentPath, file.name), "latin1");
        if (forms.some((form) => text.includes(form))) found.push(file.name);
      }
      expect(found.filter((name) => !name.endsWith("-shm"))).toEqual([]);
      for (const command of ["status", "log", "show"]) {
        const { stdout, stderr } = await world.cli([command, driven.run]);
        expect([command, forms.filter((form) => (stdout + stderr).includes(form))]).toEqual([command, []]);
      }
      const refs = (await world.repository.git("for-each-ref", "--format=%(refname)")).split("\n");
      for (const ref of refs) {
        const text = await world.repository.git("log", "-p", "--format=%B", ref);
        expect([ref, forms.filter((form) => text.includes(form))]).toEqual([ref, []]);
      }
    },
  );
});
