import { expect } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { journalContract } from "./journal-contract.ts";
import type { Owner } from "../journal/owner.ts";
import { manualClock } from "./manual-clock.ts";
import { memoryJournal } from "./memory-journal.ts";

const living: Owner = { pid: 11, started: "5" };
const dead: Owner = { pid: 12, started: "6" };
const at = "2026-03-04T05:06:07.089Z";

for (const { promises, title, check } of journalContract) {
  verifies(promises, `memory journal: ${title}`, async () => {
    const journal = memoryJournal({ clock: manualClock(at), alive: (owner) => owner.pid === living.pid });
    await expect(check({ open: async () => journal, living, dead, at })).resolves.toBeUndefined();
  });
}
