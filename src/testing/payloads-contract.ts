import assert from "node:assert/strict";
import type { Payloads } from "../journal/payloads.ts";

/** The contract that all Payloads must pass. Each case gets an empty store. */
export interface PayloadsSubject {
  readonly payloads: Payloads;
  /** Changes the stored bytes of an address. */
  damage(address: string): void | Promise<void>;
  /** Removes them. */
  lose(address: string): void | Promise<void>;
}

export interface PayloadsCase {
  readonly title: string;
  check(subject: PayloadsSubject): Promise<void>;
}

const hello = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

/** All are cases of CORE-68. */
export const payloadsContract: readonly PayloadsCase[] = [
  {
    title: "a payload is stored once under its hash and read back byte for byte",
    async check({ payloads }) {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7919) & 0xff);
      assert.equal(await payloads.put("hello"), hello);
      assert.equal(await payloads.put(Buffer.from("hello")), hello);
      assert.equal(await payloads.text(hello), "hello");
      assert.equal(await payloads.has(hello), true);
      const address = await payloads.put(bytes);
      assert.equal(Buffer.compare(await payloads.get(address), bytes), 0);
      const empty = await payloads.put("");
      assert.equal(await payloads.text(empty), "");
      const read = await payloads.get(hello);
      read[0] = 0;
      assert.equal(await payloads.text(hello), "hello");
    },
  },
  {
    title:
      "a changed payload is payload_corrupt and a missing one payload_missing, exit 5; both go on when it is back",
    async check({ payloads, damage, lose }) {
      await payloads.put("hello");
      await damage(hello);
      // One after the other: a promise that nobody awaits yet may reject meanwhile.
      for (const read of [() => payloads.get(hello), () => payloads.text(hello)])
        await assert.rejects(read(), { code: "payload_corrupt", exitCode: 5, detail: { address: hello } });
      await payloads.put("hello");
      assert.equal(await payloads.text(hello), "hello");

      await lose(hello);
      await assert.rejects(payloads.get(hello), {
        code: "payload_missing",
        exitCode: 5,
        detail: { address: hello },
      });
      assert.equal(await payloads.has(hello), false);
      await payloads.put("hello");
      assert.equal(await payloads.text(hello), "hello");
    },
  },
  {
    title: "what is no address leads nowhere",
    async check({ payloads }) {
      for (const bad of [
        "",
        "hello",
        "sha256:",
        `sha256:${"../".repeat(22)}`.slice(0, 71),
        hello.toUpperCase(),
        `${hello}0`,
        hello.replace("sha256", "md5"),
      ]) {
        await assert.rejects(payloads.get(bad), { code: "payload_missing", exitCode: 5 });
        await assert.rejects(payloads.has(bad), { code: "payload_missing" });
      }
    },
  },
];
