/** The demo's world: the bundled repository in a temporary folder with its own state home, and a stand-in for the person. */
import { cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../config/package-root.ts";
import { createRepository } from "../../git/create-repository.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { AppError } from "../../lib/errors.ts";
import type { RunEvent } from "../../log/run-event.ts";
import { askKind } from "../../views/asks.ts";
import type { By } from "../../log/by.ts";
import { answerAsk } from "../../engine/asks/answer.ts";
import type { RunContext } from "../../run/context.ts";
import { openHost, type OpenHost } from "../../run/host.ts";
import type { RootSpec } from "../../family/start-options.ts";
import { readSpecFile } from "../../families/graph/spec/spec-file.ts";
import type { Settlement } from "../../run/settlement.ts";

export interface DemoWorld {
  readonly folder: string;
  readonly repository: string;
  readonly cassette: string;
  readonly task: string;
  /** Only for a graph. */
  readonly spec: RootSpec | null;
  readonly host: OpenHost;
  /** Closes the journal and keeps the folder. */
  leave(): Promise<void>;
  remove(): Promise<void>;
}

export const demoProtocols = ["orchestrate", "riper", "dptr", "graph"] as const;
export type DemoProtocol = (typeof demoProtocols)[number];

const demoTasks: Readonly<Record<DemoProtocol, string>> = {
  orchestrate: "Add slugify(text) that turns a title into a URL slug",
  riper: "Add slugify(text) and initials(text)",
  dptr: "Add slugify(text) and initials(text)",
  graph: "A receipt made of lines with prices",
};

export async function makeDemoWorld({
  cheat,
  protocol,
  path,
}: {
  readonly cheat: boolean;
  readonly protocol: DemoProtocol;
  readonly path: string;
}): Promise<DemoWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "mettle-demo-")).catch(unwritable));
  const repository = join(folder, protocol === "graph" ? "shop" : "words");
  const bundled = packageRoot(`protocols/${protocol === "riper" ? "dptr" : protocol}/demo`);
  await mkdir(repository);
  await cp(join(bundled, "repository"), repository, { recursive: true });
  await createRepository({ dir: repository, path });
  const spec = protocol === "graph" ? await readSpecFile(join(bundled, "spec.yaml"), () => null) : null;
  const host = await openHost(repository, { METTLE_HOME: join(folder, "state") });
  return {
    folder,
    repository,
    cassette: join(bundled, cheat ? "cheat.yaml" : "honest.yaml"),
    task: demoTasks[protocol],
    spec,
    host,
    leave: () => host.journal.close(),
    async remove() {
      await host.journal.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function unwritable(cause: unknown): never {
  throw new AppError("state_unwritable", `no folder can be made in ${tmpdir()}`, {
    hint: "set TMPDIR to a folder that can be written",
    cause,
  });
}

const by: By = { answeredBy: "demo", authenticated: false, who: "the demo" };

/** Answers questions and approves gates in place of a person, marked as the demo's; a breaker stays open. */
export async function standIn(context: RunContext, ask: AskCommand): Promise<Settlement | null> {
  const { questions } = context.session.view;
  switch (askKind(ask)) {
    case "questions": {
      const facts = questions.map(({ id }): RunEvent => ({
        type: "question.answered",
        id,
        text: "as the task says",
        by,
      }));
      return { ...(await answerAsk(context, { ask, outcome: "answered", by })), facts };
    }
    case "plan":
    case "code":
      return answerAsk(context, { ask, outcome: "approve", by });
    case "base":
    case "plan_gate":
    case "breaker":
    case "paused":
    case "question":
    case "failed":
      return null;
  }
}
