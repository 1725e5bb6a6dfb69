import { createServer } from "node:net";
import { expect, test } from "vitest";
import { claimPorts } from "./ports.ts";

test("claimed ranges do not overlap, and a released range is free again", async () => {
  const held = await Promise.all(Array.from({ length: 5 }, () => claimPorts()));
  const bases = held.map(({ base }) => base).toSorted((a, b) => a - b);
  for (const [index, base] of bases.entries())
    if (index > 0) expect(base - (bases[index - 1] ?? 0)).toBeGreaterThanOrEqual(100);
  const [first] = held;
  await first?.release();
  const again = await claimPorts();
  expect(again.base).toBe(first?.base);
  await Promise.all([...held.slice(1), again].map((ports) => ports.release()));
});

test("a test server can listen on a port of the range", async () => {
  const ports = await claimPorts();
  const server = createServer();
  await new Promise<void>((done) => server.listen(ports.base, "127.0.0.1", () => done()));
  expect(server.address()).toMatchObject({ port: ports.base });
  await new Promise((done) => server.close(done));
  await ports.release();
});

test("if every range is taken, the error says so with a hint", async () => {
  const held = [];
  try {
    for (;;) held.push(await claimPorts());
  } catch (error) {
    expect(error).toMatchObject({ code: "ports_taken", hint: expect.stringContaining("graph.parallel") });
  } finally {
    await Promise.all(held.map((ports) => ports.release()));
  }
  expect(held.length).toBeGreaterThan(20);
});
