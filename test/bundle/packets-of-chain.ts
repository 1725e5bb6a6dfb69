/** Packets with other keys, another chain or other commits. */
import type { EvidenceRecord } from "../../src/evidence/record.ts";
import { renumber } from "./packet.ts";
import { replaceInCommand, greens, reds, type Packet } from "./packet-edits.ts";

const keys: readonly Packet[] = [
  {
    name: "a key that was exchanged, everywhere",
    byAttacker: true,
    why: /^it is signed with the key sha256:/u,
  },
  {
    name: "records that another key signed",
    edit: (file, { file: attacker }) => (file.envelopes = attacker.envelopes),
    why: /signed with a key other than the current one/u,
  },
  {
    name: "a statement that another key signed",
    edit: (file, { file: attacker }) => (file.statement = attacker.statement),
    anyKey: true,
    why: /^its statement is signed with the key sha256:/u,
  },
  {
    name: "a key that was exchanged in the file alone",
    edit: (file, { file: attacker }) => (file.key = attacker.key),
    anyKey: true,
    why: /^its statement is signed with the key sha256:/u,
  },
  {
    name: "a record that was edited after it was signed",
    edit: ({ envelopes: [first] }) => {
      if (first === undefined) return;
      const text = Buffer.from(first.payload, "base64").toString("utf8");
      first.payload = Buffer.from(text.replace('"exitCode":1', '"exitCode":0')).toString("base64");
    },
    why: /1: its signature is not valid/u,
  },
];

const chain: readonly Packet[] = [
  {
    name: "records that were reordered",
    edit: ({ envelopes }) => void envelopes.splice(1, 2, ...envelopes.slice(1, 3).toReversed()),
    why: /3: it does not follow the record before it/u,
  },
  {
    name: "a record that was removed in the middle",
    edit: ({ envelopes }) => void envelopes.splice(4, 1),
    why: /6: it does not follow the record before it/u,
  },
  {
    name: "a record that was removed at the end",
    edit: ({ envelopes }) => void envelopes.pop(),
    why: /9: the statement of the bundle names it and it is missing/u,
  },
  {
    name: "a record that was removed at the end, and from the list",
    change: ({ records }) => void records.pop(),
    why: /of prove, and its last record is of baseline/u,
  },
  {
    name: "a record that was removed in the middle, and from the list",
    change: ({ records }) => void records.splice(5, 1),
    why: /its number is .*\/7, expected .*\/6/u,
  },
  {
    name: "a record that appears twice",
    edit: ({ envelopes }) => void envelopes.push(...envelopes.slice(-1)),
    why: /9: it does not follow/u,
  },
  {
    name: "a record that the list lacks",
    change: ({ records }) =>
      void records.push({ ...structuredClone(records[0] as EvidenceRecord), id: "gate-x/10" }),
    why: /number is gate-x\/10/u,
  },
  {
    name: "a record of another run",
    change: ({ of }) => void (of("green.tests").run = "gate-other"),
    why: /4: it belongs to run gate-other/u,
  },
  {
    name: "RED after GREEN in the chain",
    change: (edits) => {
      const [red, green, rest] = [0, 3, 7].map((at, index) =>
        edits.records.slice(at, [3, 7, undefined][index]),
      );
      edits.records.splice(0, Infinity, ...(green ?? []), ...(red ?? []), ...(rest ?? []));
      renumber(edits);
    },
    why: /4: it proves green before any RED has passed/u,
  },
  {
    name: "RED after GREEN on the clock",
    change: ({ records, of }) => {
      const at = new Date(Date.parse(of("green").ended) + 3_600_000).toISOString();
      for (const record of records.filter(({ purpose }) => reds.includes(purpose)))
        Object.assign(record, { started: at, ended: at });
    },
    why: /7: it started at .*, before RED \(.*\/3\) ended/u,
  },
  {
    name: "a contained record that does not exist",
    change: ({ of }) => void of("red").inner.push("gate-none/1"),
    why: /3: it contains gate-none\/1, which is not an earlier record/u,
  },
];

const commits: readonly Packet[] = [
  {
    name: "a run of another tree",
    change: ({ of, other }) => void (of("green.tests").tree = other.tree),
    why: /7: .*\/4 tested commit .* with tree /u,
  },
  {
    name: "another tree in all records of GREEN",
    change: ({ of, other, statement }) => {
      for (const purpose of greens) of(purpose).tree = other.tree;
      if (statement.head !== null) statement.head.tree = other.tree;
    },
    why: /^commit \w+ has another tree than recorded/u,
  },
  {
    name: "another tree in one run that no gate judges",
    change: ({ of, other }) => void (of("green.counts").tree = other.tree),
    why: /6: commit \w+ has another tree than recorded/u,
  },
  {
    name: "another commit as head",
    change: ({ of, other, statement }) => {
      const from = of("green").commit ?? "";
      for (const purpose of greens) {
        Object.assign(of(purpose), other);
        if (of(purpose).argv[0] === "mettle") replaceInCommand(of(purpose), from, other.commit);
      }
      statement.head = { ...other };
    },
    why: /7: the content of test\/discount\.test\.js in commit \w+ is not what it froze/u,
  },
  {
    name: "a base that is no ancestor",
    change: ({ of, unrelated, statement }) => {
      for (const purpose of ["red", "green", "prove"])
        replaceInCommand(of(purpose), statement.base.commit, unrelated.commit);
      Object.assign(of("baseline"), unrelated);
      statement.base = { ...unrelated };
    },
    why: /^commit \w+ is not an ancestor of \w+$/u,
  },
  {
    name: "a base that the command does not name",
    change: ({ other, statement }) => void (statement.base = { ...other }),
    why: /states the base \w+; its command judges/u,
  },
  {
    name: "a head that the command does not name",
    change: ({ other, statement }) => void (statement.head = { ...other }),
    why: /states the head \w+; its command judges/u,
  },
  {
    name: "RED on the base, without the tests",
    change: ({ of, statement }) => {
      const from = of("red").commit ?? "";
      for (const purpose of reds) Object.assign(of(purpose), statement.base);
      for (const purpose of ["red", "green"]) replaceInCommand(of(purpose), from, statement.base.commit);
      statement.red = { ...statement.base };
    },
    why: /3: its RED is commit \w+; base with head's tests is/u,
  },
  {
    name: "a RED of which there is no record",
    change: ({ other, statement }) => void (statement.red = { ...other }),
    why: /states RED at \w+, of which it has no record/u,
  },
  {
    name: "another tree of RED in the statement",
    change: ({ other, statement }) => {
      if (statement.red !== null) statement.red.tree = other.tree;
    },
    why: /states the tree \w+ of RED/u,
  },
  {
    name: "GREEN with the tests of another RED",
    change: ({ of, other }) => replaceInCommand(of("green"), of("red").commit ?? "", other.commit),
    why: /9: its GREEN builds on the tests of/u,
  },
  {
    name: "a half with another base",
    change: ({ of, other, statement }) => replaceInCommand(of("red"), statement.base.commit, other.commit),
    why: /9: it judges the base \w+, and its half/u,
  },
  {
    name: "times before the commits were made",
    change: ({ records }) => {
      for (const record of records) {
        record.started = record.started.replace(/^\d{4}/u, "2001");
        record.ended = record.ended.replace(/^\d{4}/u, "2001");
      }
    },
    why: /it started at 2001-.*, before commit \w+ was made/u,
  },
  {
    name: "an end before the start",
    change: ({ of }) => void (of("green.counts").ended = "2001-01-01T00:00:00.000Z"),
    why: /6: it ended at 2001-.*, before it started/u,
  },
  {
    name: "a run of another day in this gate",
    change: ({ of }) =>
      void Object.assign(of("green.tests"), {
        started: "2026-01-01T00:00:00.000Z",
        ended: "2026-01-01T00:00:01.000Z",
      }),
    why: /7: .*\/4 ran at 2026-01-01.*, not while this gate did/u,
  },
  {
    name: "settings that find fewer tests",
    change: ({ statement }) =>
      void (statement.settings.paths = { tests: ["test/discount.test.js"], source: ["src/**"] }),
    why: /^its setting `paths` is not that of commit/u,
  },
  {
    name: "a runner that the settings of the project do not name",
    change: ({ statement }) => void (statement.settings.runner = "vitest"),
    why: /^its setting `runner` is not that of commit/u,
  },
];

export const packetsOfChain: readonly Packet[] = [...keys, ...chain, ...commits];
