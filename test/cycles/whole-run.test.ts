/** Whole runs of dptr and riper with scripted agents, real git and real test runs. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { World } from "../orchestrate/world.ts";
import { createCyclesWorld, dispatchLines, goCycles, oneCycle } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createCyclesWorld();
});
afterAll(() => world.remove());

const cycle = [
  "Ω₃ᴾ[S{sid},R0]",
  "Ω₄ᶜ[S{sid},R0]",
  "QA[S{sid},R0,C1,P:ℜ]",
  "DE[S{sid},R0,C1,P:ℜᴳ]",
  "QA[S{sid},R1,C1,P:ℜᶠᵗ]",
  "DE[S{sid},R2,C1,P:ℜᶠⁱ]",
  "DE[S{sid},R3,C1,P:review_tests,CTX:review_qa_work]",
  "QA[S{sid},R4,C1,P:review_impl,CTX:review_de_work]",
  "Ω₆ⱽ[]",
];

test.each([
  ["dptr", ["Ω₁ᴾ[]", "Ω₂ᴬ[CTX:slugify]", "Ω₂ᴬ[CTX:initials]"]],
  ["riper", ["Ω₁ᴾ[]", "Ω₂ᴬ[CTX:Λ₁]", "Ω₂ᴬ[CTX:Λ₂:slugify]", "Ω₂ᴬ[CTX:Λ₂:initials]"]],
] as const)("%s goes through its modes and ends complete", async (protocol, design) => {
  const { end, events } = await goCycles(world, protocol, await oneCycle());
  expect(dispatchLines(events)).toEqual([...design, ...cycle]);
  expect(end).toEqual({ type: "ended", outcome: "complete" });
});
