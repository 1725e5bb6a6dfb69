import { expect, test } from "vitest";
import { AppError } from "../errors.ts";
import { inputValuesOf } from "./input-values.ts";
import { requestedHelp } from "./help.ts";
import { matchCommand, readLine } from "./read-line.ts";
import { argument, flag, list, option, optional, options, rest, text, type CommandTable } from "./row.ts";

const people: CommandTable = {
  name: "tool",
  readers: "people",
  rows: [
    {
      name: "run",
      summary: "start a task",
      inputs: [
        optional(argument("task", "what to build, in words that are so many that they need another line")),
        option("head REV", "the commit", { default: "HEAD" }),
        option("as KIND", "its kind", { oneOf: ["fast", "slow"] }),
        options("agent AGENT", "who plays"),
        option("number", "how many", { short: "n" }),
        flag("land", "take it over"),
      ],
    },
    { name: "answer", summary: "answer it", inputs: [argument("run", "its id"), rest("answer", "words")] },
    { name: "memory show", summary: "one part", inputs: [argument("address", "of the part")] },
    { name: "memory check", summary: "all of it", inputs: [flag("deep", "more")] },
  ],
  everywhere: [
    flag("json", "one object"),
    option("who NAME", "who calls"),
    flag("old", "", { hidden: true }),
  ],
  groups: { memory: "what is remembered" },
};
const agents: CommandTable = { ...people, readers: "agents" };

function read(line: string, program = people) {
  try {
    const { row, words, flags } = readLine(program, line.split(" "));
    return { name: row.name, ...words, ...(flags.size > 0 && { flags: [...flags] }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.message} (${error.hint})`;
  }
}

test.each([
  ["run build", { name: "run", task: ["build"] }],
  ["run --land --json build", { name: "run", task: ["build"], flags: ["land", "json"] }],
  ["run --head=a=b --head c", { name: "run", head: ["a=b", "c"] }],
  ["run --head --land", { name: "run", head: ["--land"] }],
  ["run --agent a b --land c", { name: "run", agent: ["a", "b"], task: ["c"], flags: ["land"] }],
  ["run --agent a --agent b -- c", { name: "run", agent: ["a", "b"], task: ["c"] }],
  ["run --agent=a b", { name: "run", agent: ["a"], task: ["b"] }],
  ["run -n 5 -12", { name: "run", number: ["5"], task: ["-12"] }],
  ["run -n=5 -", { name: "run", number: ["5"], task: ["-"] }],
  ["answer 1 a -2.5 c", { name: "answer", run: ["1"], answer: ["a", "-2.5", "c"] }],
  ["answer 1 -- --land", { name: "answer", run: ["1"], answer: ["--land"] }],
  ["--json --who me memory show s2", { name: "memory show", address: ["s2"], who: ["me"], flags: ["json"] }],
  ["memory --who me --json show s2", { name: "memory show", address: ["s2"], who: ["me"], flags: ["json"] }],
  ["memory --deep check --old", { name: "memory check", flags: ["deep", "old"] }],
  ["--who=me memory check --old", { name: "memory check", who: ["me"], flags: ["old"] }],
])("%s is read", (line, expected) => expect(read(line)).toEqual(expected));

test.each([
  ["rnu", "there is no command rnu (did you mean `tool run`?)"],
  ["nothing else", "there is no command nothing (`tool --help` lists the commands)"],
  ["memory", "tool memory takes a command: show, check (`tool memory --help` lists the commands)"],
  ["memory --jsno", "unknown option '--jsno' (did you mean --json? `tool memory --help` lists the options)"],
  ["memory shwo s2", "there is no command memory shwo (did you mean `tool memory show`?)"],
  ["run a b", '"b" is one argument too many (`tool run --help`)'],
  ["answer", "<run> is missing (tool answer [options] <run> [<answer>...])"],
  ["run --head", "--head takes a value (`tool run --help`)"],
  ["run --land=yes", "--land takes no value (`tool run --help`)"],
  ["run --landd", "unknown option '--landd' (did you mean --land? `tool run --help` lists the options)"],
  ["run -x", "unknown option '-x' (`tool run --help`)"],
  ["run --as fsat", "--as is one of fast, slow, not fsat (did you mean fast?)"],
])("%s is refused", (line, expected) => expect(read(line)).toBe(expected));

test("agents are refused what is given twice, and get whole usage lines", () => {
  expect(read("run --head a --head b", agents)).toBe(
    "--head is given twice (tool run [<task>] [--head REV] [--as KIND] [--agent AGENT...] [-n|--number NUMBER] [--land])",
  );
  expect(read("other", agents)).toContain("never answer for a person");
});

test("what a handler is given: the last of a repeated word, all of a list, and the default", () => {
  const given = inputValuesOf(readLine(people, ["run", "--as", "slow", "--as", "fast", "--agent", "a", "b"]));
  expect([given.text("as"), given.text("head"), given.text("task")]).toEqual(["fast", "HEAD", null]);
  expect([given.list("agent"), given.flag("land"), given.list("number")]).toEqual([["a", "b"], false, null]);
});

test("the command of a line as far as it is typed", () => {
  const name = (line: string) => matchCommand(people, line.split(" ")).name;
  expect(["run x", "--json memory", "memory shwo", "memory --x", "x y"].map(name)).toEqual([
    "run",
    "memory",
    "memory shwo",
    "memory",
    "x",
  ]);
});

test("help of a command, as wide as the terminal, and of a group", () => {
  expect(requestedHelp(people, ["run", "--head", "a", "-h"], 60)).toBe(`Usage: tool run [options] [<task>]

start a task

Arguments:
  <task>  what to build, in words that are so many that they
          need another line

Options:
  --head REV          the commit (default: HEAD)
  --as KIND           its kind
  --agent AGENT...    who plays
  -n|--number NUMBER  how many
  --land              take it over
  --json              one object
  --who NAME          who calls
  -h|--help           this text`);
  expect(requestedHelp(people, ["memory", "--help"])).toBe(`Usage: tool memory <command> …

what is remembered

  tool memory show [options] <address>
      one part
  tool memory check [options]
      all of it`);
});

test("help is requested beside faults and as the last word, and neither as a value nor beyond --", () => {
  const isAsked = (line: string) => requestedHelp(people, line.split(" ")) !== null;
  const lines = ["run --help x y z", "run --xyz -h", "run --head --help", "run --head --help x", "run -- -h"];
  expect(lines.map(isAsked)).toEqual([true, true, true, false, false]);
  expect(["rnu --help", "run"].map(isAsked)).toEqual([false, false]);
});

test("a text and a list say how they are given", () => {
  const row = { name: "say", summary: "say it", inputs: [text("what", "words"), list("files", "paths")] };
  const shown = requestedHelp({ ...people, rows: [row] }, ["say", "--help"]) ?? "";
  expect(shown).toContain("Usage: tool say [options] --what TEXT --files a,b\n");
  expect(shown).toContain("words (TEXT, @FILE, - for stdin, @@ for a literal @)");
  expect(shown).toContain("paths (repeated: each is one item)");
});
