/** Executes the steps of a test agent in the real Claude Code: each step becomes a tool call of its model, whose result is returned. */
import { expect } from "vitest";
import type { TestAgent, EnvoyReply } from "../envoy/test-agent.ts";
import { toolSteps } from "../support/cassette-model.ts";
import { answersIn, type ToolCallResult } from "../support/conversation.ts";
import type { ModelRequest, ModelStep } from "../support/wire.ts";

export interface ClaudeHands extends TestAgent {
  /** The model: answers a request as soon as a step is queued. */
  readonly model: (request: ModelRequest) => Promise<ModelStep>;
  /** Executed shell lines, in order. */
  readonly lines: readonly string[];
  /** Ends the turn with this text. */
  say(text: string): void;
}

export function claudeHands(home: string): ClaudeHands {
  const lines: string[] = [];
  const wanted = mailbox<Wanted>();
  let open: Wanted | null = null;
  const act = (step: ModelStep) => new Promise<ToolCallResult>((done) => wanted.put({ step, done }));
  const shell = (line: string) => {
    lines.push(line);
    // The printed text says how long a command may wait for a person.
    return act({ tools: [{ name: "Bash", input: { command: line, timeout: 600_000 } }] });
  };
  return {
    lines,
    async model(request) {
      const last = answersIn(request).at(-1);
      if (last !== undefined) open?.done(last);
      open = await wanted.take();
      return open.step;
    },
    say: (text) => wanted.put({ step: { text }, done: () => {} }),
    print: async (protocol) => (await shell(`(cd ${quoted(home)} && envoy protocol ${protocol})`)).text,
    async call(words, cwd) {
      // In a subshell: Claude Code reports a failure if the folder of its shell was removed, as with a discarded worktree.
      const line = `(cd ${quoted(cwd)} && ${lineOf(words)})`;
      for (let tries = 1; ; tries++) {
        const { text, isError } = await shell(line);
        const json = text.split("\n").find((each) => each.startsWith('{"version"')) ?? "";
        const output = JSON.parse(json) as EnvoyReply;
        expect([line, output.status, text]).toEqual([line, isError ? "error" : "success", text]);
        // "Exit code 3: not answered yet; call the same command again."
        const isWaiting =
          output.status === "error" && output.error.type === "waiting_for_person" && tries < 5;
        if (!isWaiting) return output;
      }
    },
    async write(folder, files) {
      for (const [path, content] of Object.entries(files))
        for (const step of toolSteps({ write: { path, content } }, folder)) await act(step);
    },
  };
}

interface Wanted {
  readonly step: ModelStep;
  readonly done: (answer: ToolCallResult) => void;
}

/** Long texts are passed by standard input, as the printed text advises. */
function lineOf(words: readonly string[]): string {
  const long = words.find((word) => word.includes("\n"));
  const line = ["envoy", ...words.map((word) => (word === long ? "-" : quoted(word)))].join(" ");
  return long === undefined ? line : `${line} <<'END'\n${long}\nEND\n`;
}

function quoted(word: string): string {
  return /^[\w./:-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A queue of one: `take` waits for `put`, in either order. */
function mailbox<Letter>() {
  const letters: Letter[] = [];
  const waiting: ((letter: Letter) => void)[] = [];
  return {
    put(letter: Letter): void {
      const first = waiting.shift();
      if (first === undefined) letters.push(letter);
      else first(letter);
    },
    take(): Promise<Letter> {
      const first = letters.shift();
      return first === undefined ? new Promise((done) => waiting.push(done)) : Promise.resolve(first);
    },
  };
}
