/** Every question of every shipped protocol prints a command for each of its answers. */
import { expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { AskCommand } from "../../src/kernel/command.ts";
import { isLibrary, loadProtocol, readProtocolFile } from "../../src/protocol/load.ts";
import type { AskState, Machine, State } from "../../src/protocol/machine.ts";
import { readLibrary } from "../../src/engine/start/library.ts";
import { askCommands } from "../../src/views/asks.ts";
import { emptyView } from "../../src/log/run-view.ts";
import { answersWithoutCommand } from "./explorer.ts";

/** Includes states within regions and in event handlers. */
function asksIn(states: Readonly<Record<string, State>>): readonly AskState[] {
  return Object.values(states).flatMap((state) => {
    const inner = [
      ...(state.kind === "parallel" ? Object.values(state.regions).map((region) => region.states) : []),
      ...handled(state.events),
    ];
    return [...(state.kind === "ask" ? [state] : []), ...inner.flatMap((one) => asksIn(one))];
  });
}

function handled(events: Machine["events"]): readonly Machine["states"][] {
  return Object.values(events).flatMap((handler) =>
    handler.type === "region" ? [handler.region.states] : [],
  );
}

const { protocols } = await readLibrary({ shipped: packageRoot("protocols"), root: null });
const asks = [...protocols].flatMap(([name, source]) => {
  if (readProtocolFile(source).kind !== "machine") return [];
  const protocol = loadProtocol(name, protocols);
  if (isLibrary(protocol)) return [];
  return Object.values(protocol.machines).flatMap(({ states, events }) => {
    return [states, ...handled(events)]
      .flatMap((one) => asksIn(one))
      .map((ask) => [`${name} ${ask.name}: ${ask.text}`, ask] as const);
  });
});

test.each(asks)("%s", (_name, { name, text, to, as, shows, on }) => {
  const answers = Object.keys(on).filter((answer) => !given.has(answer));
  const here = { key: `${name}#1`, frame: "main", path: name, state: name };
  const ask: AskCommand = {
    type: "ask",
    ...here,
    counters: {},
    round: 0,
    causes: [],
    text,
    to,
    as,
    shows,
    answers,
  };
  expect(answersWithoutCommand(answers, askCommands(emptyView("RUN"), ask))).toEqual([]);
});

/** By editing the shown document, or by an event meanwhile. */
const given: ReadonlySet<string> = new Set(["changed", "resumed"]);
