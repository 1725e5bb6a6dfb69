// The kernel by itself: loads a protocol, moves a run through it and folds the same events again.
// Events go in, commands come out; nothing is executed, so it needs no agent and no repository.
import assert from "node:assert/strict";
import { fold, init, isEnded, loadProtocol, step } from "mettle";

const text = `version: 1
protocol: coin
kind: machine
about: Ask until somebody says heads
roles:
  player: { writes: none, template: player }
gates:
  toss: [pass, fail, inconclusive]
machines:
  main:
    start: toss
    counters:
      tosses: { limit: 3, over: lost }
    states:
      toss: { check: toss, on: { pass: won, fail: { to: toss, do: [{ count: tosses }] }, inconclusive: lost } }
      won: { end: complete }
      lost: { end: failed }
`;
const protocol = loadProtocol("coin", new Map([["coin", { file: "coin.yaml", text }]]));

const events = [{ type: "start", stamp: "1" }];
let moved = step(protocol, init(protocol), events[0]);
for (const outcome of ["fail", "fail", "pass"]) {
  const [command] = moved.commands;
  assert.equal(command.type, "check");
  events.push({ type: "result", key: command.key, outcome, stamp: String(events.length + 1) });
  moved = step(protocol, moved.state, events.at(-1));
}

assert.equal(isEnded(moved.state), true);
assert.deepEqual(
  moved.commands.map((command) => [command.type, command.outcome]),
  [["finish", "complete"]],
);
assert.deepEqual(fold(protocol, events), moved.state);
console.log("complete after three tosses, and the fold of the events is the same state");
