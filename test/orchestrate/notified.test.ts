/** People are told when a run waits and ends, and a way that fails or is slow never disturbs the run (SEE-09). */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { afterFile } from "../support/folder.ts";
import { verifiesInCi } from "../verifies.ts";
import { answerAll, createWorld, eventsOf, golden, untestedFiles } from "./world.ts";

verifiesInCi(
  "SEE-09",
  "each wait and the end are told once while the run goes on; a failing way is one warning",
  async () => {
    const told: Record<string, unknown>[] = [];
    let held: ServerResponse | null = null;
    // The first request is answered only when the second comes: the run went on meanwhile.
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        told.push(JSON.parse(body) as Record<string, unknown>);
        if (told.length === 1) return void (held = response);
        held?.end();
        response.end();
      });
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    afterFile(() => new Promise((closed) => server.close(closed)));
    const { port } = server.address() as AddressInfo;
    const secret = "token-of-the-user-0123456789";
    const files = { ...(await untestedFiles()), ".gitignore": "mettle.yaml\n" };
    const world = await createWorld(files, {
      MY_API_TOKEN: secret,
      MY_HOOK: `http://127.0.0.1:${port}/hook`,
    });
    await world.repository.write({
      "mettle.yaml":
        "version: 1\nnotify: { command: exit 3, webhook: $MY_HOOK, link: 'https://me.test/{run}/{ask}' }\n",
    });
    const task = `Add slugify(text) with ${secret}`;
    const { run, end, events } = await world.go(await golden(), answerAll, { task });
    expect(end).toEqual({ type: "ended", outcome: "complete" });
    expect(told.map(({ kind, link }) => [kind, link])).toEqual([
      ["questions", `https://me.test/${run}/questions%231`],
      ["plan", `https://me.test/${run}/user_gate_plan%231`],
      ["code", `https://me.test/${run}/user_gate_code%231`],
      ["ended", `https://me.test/${run}/`],
    ]);
    expect(told[3]).toMatchObject({
      version: 1,
      run,
      outcome: "complete",
      task: "Add slugify(text) with [secret]",
    });
    expect(JSON.stringify(told)).not.toContain(secret);
    const keys = eventsOf(events, "notified").map(({ key, ok, why }) => [key, ok, why]);
    expect(keys.toSorted()).toEqual(
      ["end", "questions#1", "user_gate_code#1", "user_gate_plan#1"].map((key) => [
        key,
        false,
        "command: exit code 3",
      ]),
    );
    expect(eventsOf(events, "warned").map(({ code, message }) => `${code} ${message}`)).toEqual([
      "notify_failed notify.command failed: exit code 3",
    ]);
    // A complete run that is looked at again tells nobody again.
    await world.drive(run);
    expect(told).toHaveLength(4);
  },
  60_000,
);
