/** The files of a new memory bank. Hints are comments, so that no agent takes them for texts of a person. */
import type { MemoryNumber } from "../../notation/memory-reference.ts";
import { memoryPath } from "./files.ts";
import { regionOf } from "./region.ts";

/** What a run writes over. */
export const noRunYet = "No run has written here yet.";

const texts: Readonly<Record<MemoryNumber, string>> = {
  1: `# Project Brief

## Overview

<!-- What this project is and whom it serves. Designers and planners read this file. -->

## Requirements

<!-- One list item each, with a mark that others can refer to:
- [R1] A visitor can log in with a name and a password.
-->

## Goals

<!-- - [G1] What a good result looks like. -->
`,
  2: `# System Patterns

<!-- Written when a design is accepted. A field is a heading; refer to one by its name, to a marked item by its mark. -->

## Architecture Design

## Module Specifications

## Tech Stack
`,
  3: `[↗️σ₂:tech_stack]

# Tech Context

<!-- What a developer has to know besides the tech stack: versions, set-up, limits. -->
`,
  4: `# Active Context

## State

<!-- Written from the journal. What you change between the markers is overwritten; write your notes below them. -->

${regionOf(noRunYet)}

## Notes
`,
  5: `# Progress

<!-- Written from the journal. What you change between the markers is overwritten; write your notes below them. -->

${regionOf(noRunYet)}

## Notes
`,
  6: `# Protection
#
# Paths that no role may write, one per line as in .gitignore: db/ is a folder, *.sql all such files at every depth,
# /config.json the one at the top, migrations/** everything below a folder. A line that begins with # is a comment.
`,
};

export function templateOf(memory: MemoryNumber): string {
  return texts[memory];
}

export interface BankOptions {
  /** Whether the bank has σ₆, as under riper. */
  readonly protection: boolean;
}

/** The texts of all files of a new memory bank, by path. */
export function bankFiles({ protection }: BankOptions): ReadonlyMap<string, string> {
  const numbers: readonly MemoryNumber[] = protection ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5];
  return new Map(numbers.map((memory) => [memoryPath(memory), texts[memory]]));
}
