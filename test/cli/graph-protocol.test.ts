/** `mettle protocol schema graph`, `render graph` and custom templates of nodes, by the program. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { stringify } from "yaml";
import { beforeAll, describe, expect } from "vitest";
import * as z from "zod";
import { newFolder } from "../support/folder.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { createStage, type CallResult, type Stage } from "./stage.ts";

const prompts = new URL("../../src/families/graph/fixtures/prompts/", import.meta.url);
const typeNames = readFileSync(
  new URL("../../src/protocol/graph-types/fixtures/type-names.txt", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n");

const Case = z.object({
  node: z.string(),
  input: z.record(z.string(), z.json()),
  memory: z.record(z.string(), z.json()),
  briefing: z.object({
    project: z.object({ test: z.string().optional() }),
    checks: z.array(z.json()),
    judge: z.json().optional(),
    change: z.json().optional(),
  }),
});

/** Prompts for the project of the stage, without data of a run. */
const plain = readdirSync(prompts).flatMap((file) => {
  if (!file.endsWith(".json")) return [];
  const { node, input, memory, briefing } = Case.parse(
    JSON.parse(readFileSync(new URL(file, prompts), "utf8")),
  );
  const isPlain =
    briefing.project.test === "npx vitest run" &&
    briefing.checks.length === 0 &&
    briefing.change === undefined &&
    briefing.judge === undefined;
  const text = readFileSync(new URL(file.replace(/json$/u, "txt"), prompts), "utf8");
  return isPlain ? [{ name: file.slice(0, -5), node, input, memory, text }] : [];
});

/** Uses the runner that every machine has. */
const settings = "version: 1\nrunner: node:test\n";

describe("the graph", () => {
  let stage: Stage;
  let running: readonly string[];
  beforeAll(async () => {
    stage = await createStage({
      "mettle.yaml": "version: 1\nrunner: vitest\n",
      "spec.yaml": "description: x\nacceptanceCriteria: [y]\ntargetPath: src/x.ts\ntestPath: test/x\n",
    });
    await stage.play();
    running = ["run", "--protocol", "graph", "--spec", "spec.yaml", "--agent", stage.agent];
    const files = plain.flatMap(({ name, input, memory }) => [
      [`in/${name}.json`, JSON.stringify(input)],
      [`in/${name}.memory.json`, JSON.stringify(memory)],
    ]);
    await stage.repository.write(Object.fromEntries(files));
  });

  const schemaOf = ({ stdout }: CallResult): { readonly $defs?: object } => JSON.parse(stdout);

  verifies("V3-75", "has a JSON Schema of all its types, and of each of them", async () => {
    const whole = await stage.here(["protocol", "schema", "graph"]);
    expect([whole.code, whole.stderr]).toEqual([0, ""]);
    const schema = schemaOf(whole);
    expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
    expect(typeNames).toHaveLength(33);
    expect(Object.keys(schema.$defs ?? {}).toSorted()).toEqual(typeNames.toSorted());
    const ajv = new Ajv2020({ strict: true });
    ajv.addSchema(schema, "graph");
    for (const name of typeNames) expect(ajv.getSchema(`graph#/$defs/${name}`)).toBeTypeOf("function");

    const one = await stage.here(["protocol", "schema", "graph", "TDDMode"]);
    expect(one.code).toBe(0);
    const validate = ajv.compile(schemaOf(one));
    expect([validate({ WriteTests: {} }), validate({ WriteTests: { x: 1 } })]).toEqual([true, false]);
    const answer = JSON.parse(
      (await stage.here(["protocol", "schema", "graph", "TDDMode", "--json"])).stdout,
    );
    expect(answer.schema).toEqual(schemaOf(one));

    const unknown = await stage.here(["protocol", "schema", "graph", "Foo"]);
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toContain("error[usage]: the graph has no type Foo");
    for (const name of typeNames) expect(unknown.stderr).toMatch(new RegExp(`\\b${name}\\b`, "u"));
  });

  verifies(
    "V3-76",
    "prints the prompt of a node for an input, byte for byte, and refuses an invalid input",
    async () => {
      expect([...new Set(plain.map(({ node }) => node))].toSorted()).toEqual([
        "impl",
        "merger",
        "rebaser",
        "scaffold",
        "tdd",
      ]);
      for (const { name, node, text } of plain) {
        const files = ["--input", `in/${name}.json`, "--memory", `in/${name}.memory.json`];
        const shown = await stage.here(["protocol", "render", "graph", node, ...files, "--json"]);
        expect([name, shown.code, shown.stderr]).toEqual([name, 0, ""]);
        expect([name, JSON.parse(shown.stdout).prompt]).toEqual([name, text]);
      }
      const spoken = await stage.here(["protocol", "render", "graph", "impl", "--input", "in/impl-1.json"]);
      expect(spoken.stdout).toBe(`${plain.find(({ name }) => name === "impl-1")?.text}\n`);

      await stage.repository.write({
        "in/none.json": "{}",
        "in/broken.json": "{",
        "in/odd.json": '{"spec": {"id": 1}}',
      });
      const refused = async (file: string, node = "scaffold") => {
        const { code, stdout, stderr } = await stage.here([
          "protocol",
          "render",
          "graph",
          node,
          "--input",
          file,
        ]);
        expect([file, code, stdout]).toEqual([file, 2, ""]);
        return stderr;
      };
      expect(await refused("in/none.json")).toContain("/spec: required\n");
      expect(await refused("in/odd.json")).toContain(
        "/spec/id: expected a text, got the number 1\n  /spec/description: required\n",
      );
      expect(await refused("in/broken.json")).toContain("error[invalid_yaml]: in/broken.json:");
      expect(await refused("in/absent.json")).toContain("in/absent.json cannot be read");
      expect(await refused("in/none.json", "scafold")).toContain("did you mean scaffold?");
      expect((await stage.here(["protocol", "render", "graph", "impl"])).stderr).toContain("--input FILE");
      expect(JSON.parse((await stage.here(["status", "--json"])).stdout).runs).toEqual([]);
    },
  );

  verifiesInCi(
    "V3-84",
    "uses a custom template, and refuses an invalid one in `check` and before a run starts",
    async () => {
      const own = (node: string) => `.mettle/templates/graph/${node}.jinja`;
      const input = ["--input", "in/scaffold-root.json"];
      const { write } = stage.repository;
      await write({ [own("scaffold")]: "Mine: {{ spec.id }}\n", "mettle.yaml": settings });
      const rendering = ["protocol", "render", "graph", "scaffold", ...input];
      expect((await stage.here(rendering)).stdout).toBe("Mine: shop\n");
      const checking = ["protocol", "check", "graph"];
      expect((await stage.here(checking)).code).toBe(0);

      const misspelt =
        "scaffold.jinja:3: spec has no field desciption, did you mean description? (known: id, description, ";
      for (const [node, text, fault, lines] of [
        ["scaffold", "# Mine\n\n{{ spec.desciption }}\n", misspelt, [checking, rendering, running]],
        [
          "scaffold",
          "{{ spec.id }}\n{% if spec.id %}\n",
          "scaffold.jinja:2: this block is never closed",
          [checking, running],
        ],
        // TDD has this variable, Impl does not.
        [
          "impl",
          "\n{{ coveredCriteria | join(', ') }}\n",
          "impl.jinja:2: there is no coveredCriteria here (known: spec, scaffold, testsReady, ",
          [checking, running],
        ],
        ["reviewer", "x", "reviewer.jinja: no node is called reviewer", [checking]],
      ] as const) {
        await write({ [own(node)]: text });
        for (const line of lines) {
          const { code, stderr } = await stage.here(line);
          expect([line[0], code]).toEqual([line[0], 2]);
          expect(stderr).toContain(`error[template_invalid]: ${fault}`);
        }
        await write({ [own(node)]: null });
      }
      expect(JSON.parse((await stage.here(["status", "--json"])).stdout).runs).toEqual([]);
      expect(await stage.repository.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    },
  );

  verifies(
    "V3-90",
    "an invalid spec is refused with all its errors at once, each with file:line, field and expectation, and creates nothing",
    async () => {
      const good = "description: x\nacceptanceCriteria: [y]\ntargetPath: src/x.ts\ntestPath: test/x\n";
      const many = [
        "id: not--one",
        "descripton: x",
        "acceptanceCriteria:",
        "  - { id: AC-1, text: adds }",
        '  - { id: AC-1, text: " " }',
        `  - { id: ${"a".repeat(41)}, text: long }`,
        "targetPath: src/x.ts",
        "",
      ].join("\n");
      await stage.repository.write({
        "bad/many.yaml": many,
        "bad/empty.yaml": good.replace("[y]", "[]"),
        "bad/syntax.yaml": "description: [\n",
        "bad/list.yaml": "- x\n",
        "bad/large.yaml": `${good}# ${"x".repeat(1024 * 1024)}\n`,
      });
      const state = async () => [
        await stage.repository.git("for-each-ref"),
        await stage.repository.git("worktree", "list"),
        await stage.repository.git("status", "--porcelain", "--untracked-files=all"),
        await readdir(stage.home, { recursive: true }),
      ];
      const before = await state();
      const refused = async (file: string, ...more: readonly string[]) => {
        const line = ["run", "--protocol", "graph", "--spec", file, "--agent", stage.agent, ...more];
        const called = await stage.here(line);
        expect([file, called.code]).toEqual([file, 2]);
        return called;
      };
      const rule = "expected letters and digits, single - or _ between them, at most 40 characters";
      // The path as it was typed.
      const at = (file: string) => file;
      const lines = [
        "1:1: description: is missing, expected a text",
        "1:1: testPath: is missing, expected a path relative to the repository",
        `1:1: id: ${rule}`,
        "2:1: descripton: unknown key, did you mean description?",
        "5:11: acceptanceCriteria[1].id: expected an id of its own: AC-1 is criterion 1 already",
        "5:17: acceptanceCriteria[1].text: is blank: expected a text",
        `6:7: acceptanceCriteria[2].id: ${rule}`,
      ];
      const { stderr } = await refused("bad/many.yaml");
      const [head, ...rest] = stderr.split("\n");
      expect(head).toBe("error[spec_invalid]: 7 faults");
      const faults = lines.map((line) => `  ${at("bad/many.yaml")}:${line}`);
      expect(rest.slice(0, 7).toSorted()).toEqual(faults.toSorted());
      const json = JSON.parse((await refused("bad/many.yaml", "--json")).stdout);
      expect(json.error).toMatchObject({ code: "spec_invalid" });
      expect(json.error.detail.faults).toHaveLength(7);
      expect(json.error.detail.faults).toContainEqual(
        expect.objectContaining({ file: at("bad/many.yaml"), line: 2, path: ["descripton"] }),
      );
      for (const [file, fault] of [
        ["bad/empty.yaml", "2:1: acceptanceCriteria: is empty: expected at least one criterion"],
        ["bad/syntax.yaml", "2:1: "],
        ["bad/list.yaml", "1:1: expected one mapping with id, description"],
        ["bad/large.yaml", "1:1: the file is larger than 1 MiB"],
        ["bad/none.yaml", "1:1: there is no such file"],
      ] as const)
        expect((await refused(file)).stderr).toContain(`error[spec_invalid]: ${at(file)}:${fault}`);
      expect(await state()).toEqual(before);
    },
  );

  verifies(
    "V3-91",
    "a path that leaves the repository or is not allowed is refused with field, value and reason: in a spec before a run, from an agent while it can still correct it",
    async () => {
      const outside = newFolder();
      const { dir, git, write, commit } = stage.repository;
      await symlink(outside, join(dir, "out"));
      await symlink(".", join(dir, "here"));
      await commit("links");
      const bad = [
        ["../x", "it may leave the repository by .."],
        ["/etc/x", "it is absolute; paths are relative to the repository"],
        ["out/x", "the symbolic link out leads out of the repository"],
        ["here/out/x", "the symbolic link here/out leads out of the repository"],
        [".git/hooks/x", "git keeps its own files there"],
        [".mettle/x", "Mettle keeps its own files there"],
        ["mettle.yaml", "Mettle keeps its own files there"],
      ] as const;
      const places = [
        join(dir, "..", "x"),
        "/etc/x",
        join(dir, ".git", "hooks", "x"),
        join(dir, ".mettle", "x"),
        join(stage.home, "state", "worktrees", "x"),
      ];
      const made = async () => [...places.filter((path) => existsSync(path)), ...(await readdir(outside))];
      await write({ "mettle.yaml": settings });

      for (const [path, why] of [...bad, ["src/x.ts", "it is the targetPath too"]] as const) {
        const field = path === "src/x.ts" ? "testPath" : "targetPath";
        const spec = { targetPath: "src/x.ts", testPath: "test/x", [field]: path };
        await write({ "spec.yaml": `description: x\nacceptanceCriteria: [y]\n${stringify(spec)}` });
        const { code, stderr } = await stage.here(running);
        expect([path, code]).toEqual([path, 2]);
        const line = field === "targetPath" ? 3 : 4;
        expect(stderr).toContain(
          `error[path_refused]: spec.yaml:${line}:${field.length + 3}: ${field}: "${path}" is refused: ${why}\n`,
        );
      }
      expect(JSON.parse((await stage.here(["status", "--json"])).stdout).runs).toEqual([]);
      expect(await git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");

      const work = (change: object) => ({
        scaffoldCommit: "HEAD",
        interfaceFile: "src/x-api.ts",
        contractSuite: "test/contract.ts",
        testPlan: [],
        ...change,
      });
      const child = { id: "a", description: "a", acceptanceCriteria: [{ id: "AC-1", text: "y" }] };
      const wrong = [
        ...bad.map(([path, why]) => [work({ interfaceFile: path }), "interfaceFile", path, why] as const),
        // The agent creates this link in its worktree.
        [
          work({ contractSuite: "made/x" }),
          "contractSuite",
          "made/x",
          "the symbolic link made leads out of the repository",
        ],
        [
          work({ childSpecs: [{ ...child, targetPath: "src/a", testPath: "./src/a/" }] }),
          "childSpecs.0.testPath",
          "./src/a/",
          "it is the targetPath of a too",
        ],
      ] as const;
      const [answers, script] = [join(stage.home, "answers.json"), join(stage.home, "ask.mjs")];
      await writeFile(script, asking(wrong.map(([payload]) => ({ status: "InitWork", payload }))));
      const payload = { question: "why?", ambiguityReference: "y", specSentence: "y" };
      await stage.play({
        scaffold: [
          {
            does: [
              { shell: `ln -s '${outside}' made` },
              { shell: `'${process.execPath}' '${script}' > '${answers}'` },
            ],
            report: { status: "ClarificationNeeded", payload },
          },
        ],
      });
      await write({
        "spec.yaml": "description: x\nacceptanceCriteria: [y]\ntargetPath: src/x.ts\ntestPath: test/x\n",
      });
      const ran = await stage.here([...running, "--json"]);
      expect([ran.code, ran.stderr]).toEqual([3, expect.any(String)]);
      expect(JSON.parse(await readFile(answers, "utf8"))).toEqual(
        wrong.map(([, field, path, why]) =>
          expect.objectContaining({
            code: "path_refused",
            field: `payload.${field}`,
            message: `path_refused: ${path}: ${why}`,
          }),
        ),
      );
      const [run = {}] = JSON.parse((await stage.here(["status", "--json"])).stdout).runs;
      const shown = JSON.parse((await stage.here(["show", run.run, "spec", "--json"])).stdout);
      // All reports happen in one turn of one conversation.
      expect(shown.turns).toHaveLength(1);
      expect(shown.turns[0]).toMatchObject({ exit: "ClarificationNeeded" });
      expect(await made()).toEqual([]);
      expect(await readFile(join(dir, "mettle.yaml"), "utf8")).toBe(settings);
    },
  );
});

/** A program that sends each report to the channel of its dispatch and prints the answers. */
function asking(reports: readonly object[]): string {
  return `
import { connect } from "node:net";
import { text } from "node:stream/consumers";
const { METTLE_SOCKET: path, METTLE_TOKEN: token } = process.env;
const answers = [];
for (const report of ${JSON.stringify(reports)}) {
  const socket = connect(path);
  socket.end(JSON.stringify({ version: 1, token, call: "report", message: "", ...report }) + "\\n");
  answers.push(JSON.parse(await text(socket)).error);
}
console.log(JSON.stringify(answers));
`;
}
