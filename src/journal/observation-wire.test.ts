/** Observations as RIPER·Σ and DPTR·Σ write them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { verifies } from "../../test/verifies.ts";
import { AppError } from "../lib/errors.ts";
import { findSpeaker, modes } from "../notation/modes.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { parseObservation, parsePattern, printObservation } from "./observation-line.ts";
import { openObservations } from "./observations.ts";

const speakers = ["MT", "QA", "DE", ...modes.map(({ mode }) => mode)];
const isSpeaker = (name: string): boolean => findSpeaker(name, "riper") === name;
const at = "2026-03-04T05:06:07.089Z";

/** Any sixteen bits, and what the line itself is made of. */
const content = fc
  .array(
    fc.oneof(
      fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom("\n", "\r", "\\", "]", "[", ",", ": ", "OBS[", "🙂"),
    ),
    {
      minLength: 1,
    },
  )
  .map((some) => some.join(""));
const observation = fc.record({
  session: fc.stringMatching(/^(PLAN|TDD)_\d{8}T\d{9}Z(_C\d)?$/u),
  round: fc.nat({ max: 999_999_999 }),
  agent: fc.constantFrom(...speakers),
  at: fc
    .date({ min: new Date(0), max: new Date(Date.UTC(9999, 0)), noInvalidDate: true })
    .map((date) => date.toISOString()),
  content,
});

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message.split(", in ")[0]}`;
    throw error;
  }
  return "accepted";
}

verifies(
  "TDP-71",
  "an observation is one line that is read back equal, of 1 byte to 1 MiB, from MT, QA, DE or a mode",
  async () => {
    fc.assert(
      fc.property(observation, (one) => {
        const line = printObservation(one);
        expect(line).not.toMatch(/[\n\r]/u);
        expect(line.startsWith(`OBS[S${one.session},R${one.round},A:${one.agent},T:${one.at}]: `)).toBe(true);
        expect(parseObservation(line, isSpeaker)).toEqual(one);
      }),
      { numRuns: 500 },
    );
    expect(printObservation({ session: "s", round: 0, agent: "MT", at, content: "a\nb" })).toBe(
      `OBS[Ss,R0,A:MT,T:${at}]: a\\nb`,
    );
    for (const agent of ["intake", "qa", "O3P", "Ω₂ˢ", "Ω₃ᵖ", "mt"])
      expect(refusal(() => parseObservation(`OBS[Ss,R0,A:${agent},T:${at}]: x`, isSpeaker))).toBe(
        'bad_pattern column 13: expected a name after "A:"',
      );
    for (const time of [
      "now",
      "2026-03-04T05:06:07Z",
      "2026-03-04T06:06:07.089+01:00",
      "2026-02-31T05:06:07.089Z",
    ])
      expect(refusal(() => parseObservation(`OBS[Ss,R0,A:QA,T:${time}]: x`, isSpeaker))).toBe(
        "bad_pattern column 18: expected a time such as 2026-01-31T12:00:00.000Z",
      );

    const home = newFolder();
    const store = await openObservations({ home, clock: manualClock() });
    try {
      const head = "\\\n]\r🙂é";
      const whole = head + "x".repeat(1024 * 1024 - Buffer.byteLength(head));
      expect(Buffer.byteLength(whole)).toBe(1024 * 1024);
      const entry = { session: "s", round: 0, agent: "QA" };
      const kept = await store.append({ ...entry, content: whole });
      for (const bad of ["", `${whole}x`])
        await expect(store.append({ ...entry, content: bad })).rejects.toMatchObject({ code: "bad_content" });
      const all = await store.query(parsePattern("OBS[*,*,*,*]"));
      expect(all.length).toBe(1);
      expect(all[0]?.content === whole).toBe(true);
      const { id: _id, ...told } = kept;
      expect(parseObservation(printObservation(kept), isSpeaker).content === told.content).toBe(true);
    } finally {
      await store.close();
    }
  },
);

test("lines that are no observations are refused with nothing but an AppError, and one that is accepted prints as itself", () => {
  const pieces = fc.constantFrom(
    "OBS[",
    "S",
    "s",
    ",",
    "R",
    "0",
    "A:",
    "QA",
    "T:",
    at,
    "]",
    ": ",
    "x",
    "\\",
    "n",
    "\r",
    "*",
    "{n-1}",
    "{current}",
  );
  const line = fc.oneof(
    fc.array(pieces, { maxLength: 16 }).map((some) => some.join("")),
    fc.tuple(observation, fc.nat(), fc.oneof(pieces, fc.constant(""))).map(([one, where, put]) => {
      const text = printObservation(one);
      const cut = where % (text.length + 1);
      return text.slice(0, cut) + put + text.slice(cut + 1);
    }),
  );
  let accepted = 0;
  fc.assert(
    fc.property(line, (text) => {
      refusal(() => parsePattern(text, 1));
      if (refusal(() => parseObservation(text, isSpeaker)) !== "accepted") return;
      accepted += 1;
      const read = parseObservation(text, isSpeaker);
      expect(printObservation(read).replace(/,R0*(?=\d)/u, ",R")).toBe(text.replace(/,R0*(?=\d)/u, ",R"));
    }),
    { numRuns: 2000 },
  );
  expect(accepted).toBeGreaterThan(50);
});
