/**
 * Merge requests of published nodes, opened by stub programs `gh` and `glab` that record their calls (V3-94).
 * @module-tag ci
 */
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findProgram } from "../../src/process/find-program.ts";
import { parseExecutionBlock } from "../support/parse-block.ts";
import type { RunContext } from "../../src/run/context.ts";
import type { RunEvent } from "../../src/log/run-event.ts";
import { mergeRequest } from "../../src/families/graph/merge-request/merge-request.ts";
import { nodeOf, type Node } from "../../src/families/graph/node.ts";
import { callIn } from "../cli/here.ts";
import type { CliResult, World } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { mergeByHand, type MergeByHand } from "./merge-by-hand.ts";
import { files, initWork, scaffoldSteps, nodesOf, specOf, type TreeNode } from "./story.ts";
import { createTreeWorld } from "./world.ts";

/** A folder with one program, which records each call as one line of JSON and then runs its script. */
interface Stub {
  readonly folder: string;
  calls(): Promise<readonly Call[]>;
}

interface Call {
  readonly args: readonly string[];
  readonly body: string;
  readonly env: readonly string[];
}

const stubs: string[] = [];

async function stub(name: string, script: string): Promise<Stub> {
  const folder = newFolder();
  stubs.push(folder);
  const note = `require("node:fs").appendFileSync(${JSON.stringify(join(folder, "calls"))}, JSON.stringify({
    args: process.argv.slice(2), body: process.argv.includes("--body-file=-") ? require("node:fs").readFileSync(0, "utf8") : "",
    env: Object.keys(process.env) }) + "\\n");`;
  await mkdir(join(folder, "bin"));
  await writeFile(
    join(folder, "bin", name),
    `#!${process.execPath}\n${note}\nconst args = process.argv.slice(2);\n${script}\n`,
  );
  await chmod(join(folder, "bin", name), 0o755);
  return {
    folder: join(folder, "bin"),
    calls: async () => {
      const text = await readFile(join(folder, "calls"), "utf8").catch(() => "");
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Call]));
    },
  };
}

/** The arguments of a call, without the texts. */
function short({ args }: Call): string {
  return args.filter((arg) => !/^--(title|description|body-file)/u.test(arg)).join(" ");
}

async function bareRemote(world: World, url: string): Promise<string> {
  const bare = join(world.home, `remote-${stubs.length}.git`);
  await world.repository.git("init", "--quiet", "--bare", bare);
  await world.repository.git("remote", "add", "origin", url);
  await world.repository.git("config", "remote.origin.pushurl", bare);
  return bare;
}

const top: TreeNode = { id: "top", children: [{ id: "a" }] };
const withFlag = ["run", "--protocol", "graph", "--spec", "-", "--pr"];

let world: World;
let bare: string;
let gh: Stub;
let started: CliResult;
let run: string;

beforeAll(async () => {
  world = await createTreeWorld(files);
  bare = await bareRemote(world, "https://github.com/acme/shop.git");
  // The root's request fails as without a login.
  gh = await stub(
    "gh",
    `if (!args.some((arg) => /^--head=.*result$/.test(arg))) console.log("https://github.com/acme/shop/pull/1");
     else { console.error("To get started with GitHub CLI, please run:  gh auth login"); process.exit(4); }`,
  );
  const nodes = { version: 1, kind: "cassette", nodes: nodesOf(top) };
  const agent = await world.agent(nodes as unknown as Parameters<World["agent"]>[0]);
  const env = {
    PATH: [gh.folder, process.env["PATH"]].join(delimiter),
    GH_TOKEN: "token-of-the-user",
    SOME_AGENT_KEY: "not-for-gh",
  };
  started = await world.cli([...withFlag, "--agent", agent, "--json"], {
    env,
    input: JSON.stringify(specOf(top)),
  });
  run = String(started.json()["run"]);
});

let hand: MergeByHand;
const shop: TreeNode = { id: "shop", children: [{ id: "cart" }] };
const child = "shop--cart";
let origin: string;
beforeAll(async () => {
  const written = scaffoldSteps(shop).map(
    ({ write }) => write as { readonly path: string; readonly content: string },
  );
  hand = await mergeByHand({
    files,
    spec: specOf(shop),
    scaffold: Object.fromEntries(written.map(({ path, content }) => [path, content])),
    work: initWork(shop, "AC-1").payload as object,
  });
  const head = await hand.commitOn(hand.node(child).base, { "src/cart.js": "// cart\n" });
  await hand.move(child, "impl", head);
});

interface RequestOutcome {
  readonly path?: string;
  readonly flag?: boolean;
  readonly signal?: AbortSignal;
}

/** Opens the child's merge request as its publication does, in a process that finds these programs. */
async function ask({
  path = "",
  flag = true,
  signal = new AbortController().signal,
}: RequestOutcome): Promise<readonly RunEvent[]> {
  const { context } = hand;
  const { started, host } = context;
  const asked: RunContext = {
    ...context,
    started: { ...started, mergeRequests: flag },
    host: { ...host, path },
  };
  return mergeRequest(asked, nodeNow(), {
    commit: hand.node(child).head,
    onto: hand.node("shop").head,
    record: null,
    signal,
  });
}

function nodeNow(): Node {
  const open = hand.context.session.state.open.find((command) => nodeOf(hand.context, command)?.id === child);
  const node = open && nodeOf(hand.context, open);
  if (node == null) throw new Error("the child is not at work");
  return node;
}

/** A PATH with git and these programs only. */
async function only(...programs: readonly Stub[]): Promise<string> {
  const folder = newFolder();
  stubs.push(folder);
  await symlink((await findProgram("git", process.env["PATH"] ?? "")) ?? "", join(folder, "git"));
  return [...programs.map((one) => one.folder), folder].join(delimiter);
}

/** Applies the facts as the publication's settlement does. */
async function take(facts: readonly RunEvent[]): Promise<readonly RunEvent[]> {
  await hand.context.session.record(facts);
  return facts;
}

function failed(why: string): readonly RunEvent[] {
  return [
    { type: "node.request_ended", node: child, outcome: "failed", url: null, why },
    { type: "warned", code: "merge_request_failed", message: why },
  ];
}

async function refsOf(place: string): Promise<Readonly<Record<string, string>>> {
  const told = await hand.world.repository.git("ls-remote", "--refs", place);
  const lines = told.split("\n").filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => line.split("\t").toReversed()));
}

verifies(
  "V3-94",
  "with the flag one request is opened for each published node, with its title, criteria and evidence; what fails is a warning, and the run is complete",
  async () => {
    expect([started.code, started.json()["status"]]).toEqual([0, "complete"]);
    const calls = await gh.calls();
    const [branch, target] = [`mettle/${run}/top--a`, `mettle/${run}/top`];
    const repo = "--repo=github.com/acme/shop";
    expect(calls.map(short)).toEqual([
      `pr create --head=${branch} --base=${target} ${repo}`,
      `pr create --head=mettle/${run}/result --base=main ${repo}`,
    ]);
    const [first] = calls;
    expect(first?.args).toContain("--title=top--a: The a");
    expect(first?.body).toContain("- AC-a: a() gives its name\n  - `test/a/a.test.js::AC-a: gives its name`");
    const block = parseExecutionBlock((first?.body ?? "").replace(/^ {4}/gmu, ""));
    expect(block?.command).toContain("mettle gate squash");
    expect(block?.exit).toMatch(/^0/u);
    // The user's own login, and no other secret.
    expect(first?.env).toContain("GH_TOKEN");
    expect(first?.env).not.toContain("SOME_AGENT_KEY");

    const { git } = world.repository;
    const there = await git("ls-remote", "--refs", bare);
    const pushed = Object.fromEntries(there.split("\n").map((line) => line.split("\t").toReversed()));
    expect(Object.keys(pushed).toSorted()).toEqual(
      [branch, target, `mettle/${run}/result`].map((name) => `refs/heads/${name}`).toSorted(),
    );
    expect(pushed[`refs/heads/${branch}`]).toBe(await git("rev-parse", branch));
    expect(pushed[`refs/heads/mettle/${run}/result`]).toBe(await git("rev-parse", `mettle/${run}/result`));
    expect(await git("rev-parse", "main")).toBe(await git("rev-parse", `mettle/${run}/result^`));
    expect(await git("for-each-ref", "refs/remotes")).toBe("");
    expect(started.stderr).toContain("merge request https://github.com/acme/shop/pull/1\n");
    const why =
      "no merge request for top: gh ended with exit code 4: To get started with GitHub CLI, please run: gh auth login";
    expect(started.stderr).toContain(`warning merge_request_failed: ${why}\n`);
    expect(String(started.json()["summary"])).toContain(why);
  },
);

test("a result that was merged only on the remote counts as unmerged, and mettle clean keeps it", async () => {
  const { git } = world.repository;
  const result = `mettle/${run}/result`;
  await git("update-ref", `refs/remotes/origin/${result}`, result);
  expect((await callIn(world, ["clean", "--json"])).json()["kept"]).toContain(`refs/heads/${result}`);
});

verifies("V3-94", "without the flag no program is called, and nothing is pushed", async () => {
  const unwanted = await stub("gh", "");
  origin = await bareRemote(hand.world, "git@github.com:acme/shop.git");
  expect(await ask({ path: await only(unwanted), flag: false })).toEqual([]);
  expect([await unwanted.calls(), await refsOf(origin), hand.node(child).requests]).toEqual([[], {}, []]);
});

verifies("V3-94", "a missing program or remote is reported, and nothing is pushed or opened", async () => {
  const glab = await stub("glab", "");
  const none = "no merge request is opened: gh is not on PATH";
  expect(await ask({ path: await only(glab) })).toEqual(failed(none));
  const { git } = hand.world.repository;
  await git("remote", "rename", "origin", "elsewhere");
  await git("remote", "add", "another", origin);
  expect(await ask({ path: await only(glab) })).toEqual(
    failed("no merge request is opened: main has no remote"),
  );
  await git("remote", "remove", "another");
  await git("remote", "rename", "elsewhere", "origin");
  await git("remote", "set-url", "origin", origin);
  expect(await ask({ path: await only() })).toEqual(
    failed("no merge request is opened: neither gh nor glab is on PATH"),
  );
  expect([await glab.calls(), await refsOf(origin), hand.node(child).requests]).toEqual([[], {}, []]);
});

test("an unreachable remote is reported with git's message, and no program is called", async () => {
  const { git } = hand.world.repository;
  const glab = await stub("glab", "");
  await git("config", "remote.origin.pushurl", join(hand.world.home, "nowhere.git"));
  const facts = await ask({ path: await only(glab) });
  expect(facts.at(-1)).toMatchObject({
    message: expect.stringMatching(/^no merge request for shop--cart: \S+ is not on origin: .*nowhere\.git/u),
  });
  await git("config", "remote.origin.pushurl", origin);
  expect(await glab.calls()).toEqual([]);
});

test("a request that was being opened when the process died is found by the next process, and opened once", async () => {
  const { git } = hand.world.repository;
  await git("remote", "set-url", "origin", "https://gitlab.example.org/acme/tools/shop.git");
  const url = "https://gitlab.example.org/acme/tools/shop/-/merge_requests/7";
  // It opens the request and dies before it can report it.
  const glab = await stub(
    "glab",
    `const { existsSync, writeFileSync } = require("node:fs");
     const opened = __dirname + "/opened";
     if (args[1] === "list") console.log(existsSync(opened) ? '[{"iid":7,"web_url":"${url}"}]' : "[]");
     else { writeFileSync(opened, ""); setInterval(() => {}, 1000); }`,
  );
  const stop = new AbortController();
  const first = ask({ path: await only(glab), signal: stop.signal });
  const branches = [`--source-branch=mettle/${hand.run}/${child}`, `--target-branch=mettle/${hand.run}/shop`];
  const repo = "--repo=https://gitlab.example.org/acme/tools/shop";
  await expect
    .poll(async () => (await glab.calls()).map(short), { timeout: 20_000 })
    .toEqual([
      `mr list ${branches[0]} --all --output=json --per-page=1 ${repo}`,
      `mr create ${branches.join(" ")} --yes ${repo}`,
    ]);
  stop.abort();
  await first;
  expect(await take(await ask({ path: await only(glab) }))).toEqual([
    { type: "node.request_ended", node: child, outcome: "found", url, why: "" },
  ]);
  expect((await glab.calls()).map(({ args }) => args[1])).toEqual(["list", "create", "list"]);
  const created = (await glab.calls())[1];
  expect(created?.args.find((arg) => arg.startsWith("--description="))).toContain(
    "- AC-cart: cart() gives its name",
  );
});

test("rebased work replaces what the run pushed before, and never what somebody else pushed", async () => {
  const glab = await stub("glab", `console.log('[{"web_url":"https://gitlab.example.org/7"}]')`);
  const path = await only(glab);
  const branch = `refs/heads/mettle/${hand.run}/${child}`;
  const again = await hand.commitOn(hand.node(child).base, { "src/cart.js": "// again\n" });
  await hand.move(child, "impl", again);
  expect(await ask({ path })).toMatchObject([{ outcome: "found" }]);
  expect((await refsOf(origin))[branch]).toBe(again);

  const theirs = await hand.commitOn(again, { "src/cart.js": "// theirs\n" });
  await hand.world.repository.git("push", "--quiet", origin, `${theirs}:${branch}`);
  await hand.move(child, "impl", await hand.commitOn(again, { "src/cart.js": "// mine\n" }));
  expect((await ask({ path })).at(-1)).toMatchObject({
    message: expect.stringContaining(`${branch} is at ${theirs} on origin, which this run did not push`),
  });
  expect((await refsOf(origin))[branch]).toBe(theirs);
});
