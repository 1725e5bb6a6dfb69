/** Protocols of a few lines, for runs with other states than the shipped ones. */
const own = (name: string, states: string): string =>
  `version: 1\nprotocol: ${name}\nkind: machine\nextends: orchestrate\nmachines:\n  main:\n    states:\n${states}`;

/** Its state is unreachable. */
export const unsound = own("broken", "      island: { ask: Nobody comes here, on: { answered: intake } }\n");

/** Ends after the specification, which it writes without answers to its questions. */
export const brief = `version: 1
protocol: brief
kind: machine
extends: base
roles: { intake: { writes: documents, template: brief } }
gates: { topics: [pass, fail, inconclusive], spec: [pass, fail, inconclusive] }
machines:
  main:
    like: base
    start: intake
    counters: { tries: { limit: 5, over: trouble } }
    states:
      intake: { dispatch: intake, reports: [QUESTIONS, WRITTEN], on: { QUESTIONS: topics, WRITTEN: spec } }
      topics: { check: topics, on: { pass: { to: intake, do: [{ count: tries }] }, fail: trouble } }
      spec: { check: spec, on: { pass: ^complete, fail: trouble } }
`;
