/** Fakes that pass the contract tests of the real implementations, for tests of programs built on Mettle. */
export { manualClock, type ManualClock } from "./manual-clock.ts";
export { memoryJournal, type MemoryJournalOptions } from "./memory-journal.ts";
export { memoryPayloads, type MemoryPayloads } from "./memory-payloads.ts";
export { createRepository, type TempRepository, type TempRepositoryOptions } from "./temp-repository.ts";
