/** The channel with real sockets: permitted callers, refusals, and misbehaving peers. */
import { execFile } from "node:child_process";
import { mkdir, readdir, stat, utimes } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { openChannel, type Channel } from "./channel.ts";
import { callChannel } from "./client.ts";
import { makeFolder, removeFolder, sweepFolders } from "./folder.ts";
import { ChannelAnswer, okAnswer, maxLineBytes } from "./wire.ts";
import { inCi } from "../../test/verifies.ts";

const opened: Channel[] = [];
let letGo: () => void;
const released = new Promise<void>((resolve) => (letGo = resolve));
async function open(): Promise<{ channel: Channel; requests: unknown[] }> {
  const requests: unknown[] = [];
  const channel = await openChannel({
    echo: (request) => {
      requests.push(request);
      return okAnswer(request);
    },
    slow: async () => {
      await pause(100);
      return okAnswer("late");
    },
    held: async () => {
      await released;
      return okAnswer("let go");
    },
    broken: () => {
      throw new Error("secret detail");
    },
  });
  opened.push(channel);
  return { channel, requests };
}
afterAll(() => Promise.all(opened.map((channel) => channel.close())));

/** Sends raw bytes and returns all lines until the server closes its side. */
function talk(path: string, send: (socket: Socket) => void): Promise<readonly ChannelAnswer[]> {
  return new Promise((resolve) => {
    const socket = createConnection({ path, allowHalfOpen: true });
    let text = "";
    socket.setEncoding("utf8");
    socket.on("connect", () => send(socket));
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", () => undefined);
    socket.on("close", () =>
      resolve(
        text
          .split("\n")
          .filter(Boolean)
          .map((line) => ChannelAnswer.parse(JSON.parse(line))),
      ),
    );
    socket.on("end", () => socket.end());
  });
}

const codes = (answers: readonly ChannelAnswer[]) =>
  answers.map((answer) => (answer.ok ? "ok" : answer.error.code));

describe("a channel", () => {
  let channel: Channel;
  let requests: unknown[];
  const line = (more: object) => `${JSON.stringify({ version: 1, token: channel.token, ...more })}\n`;
  beforeAll(async () => ({ channel, requests } = await open()));

  test("is in a folder that only this user may enter, with a short path", async () => {
    const folder = await stat(dirname(channel.socket));
    expect([folder.mode & 0o777, folder.uid]).toEqual([0o700, process.getuid?.()]);
    expect(Buffer.byteLength(channel.socket)).toBeLessThan(100);
    expect((await stat(channel.socket)).isSocket()).toBe(true);
  });

  test("answers calls of its own dispatch, also with fields of a newer client", async () => {
    expect(await callChannel(channel, { call: "echo", text: "ä\n😀", later: { field: 1 } })).toEqual({
      version: 1,
      ok: true,
      result: { call: "echo", text: "ä\n😀", later: { field: 1 }, version: 1, token: channel.token },
    });
  });

  test("refuses a wrong, empty or missing token, and that of another dispatch, before it reads the call", async () => {
    const before = requests.length;
    const other = (await open()).channel;
    const tokens = [other.token, `${channel.token}x`, channel.token.slice(0, -1), "", 7, null, undefined];
    for (const token of tokens) {
      const answers = await talk(channel.socket, (socket) =>
        socket.end(JSON.stringify({ version: 9, token, call: "echo" })),
      );
      expect([token, answers]).toEqual([
        token,
        [
          {
            version: 1,
            ok: false,
            error: {
              code: "not_your_dispatch",
              message: "the token is not that of this dispatch",
              hint: "a dispatch is reported to by its own agent, while it lasts",
            },
          },
        ],
      ]);
    }
    expect(requests).toHaveLength(before);
  });

  test("continues after invalid lines, in order", async () => {
    const answers = await talk(channel.socket, (socket) => {
      for (const bad of ["", "{", "7", "null", "[]", '"x"', "\u0000\ufffd"]) socket.write(`${bad}\n`);
      socket.write(Buffer.from([0xff, 0xfe, 0x0a]));
      socket.write(line({ call: 7 }));
      socket.write(line({ call: "constructor" }));
      socket.write(line({ call: "echo", version: 2 }));
      socket.write(line({ call: "broken" }));
      socket.end(line({ call: "echo" }));
    });
    expect(codes(answers)).toEqual([
      // An empty list has no token.
      ...Array<string>(4).fill("bad_request"),
      "not_your_dispatch",
      ...Array<string>(3).fill("bad_request"),
      "bad_request",
      "bad_request",
      "version_unsupported",
      "internal",
      "ok",
    ]);
    expect(JSON.stringify(answers)).not.toContain("secret detail");
    expect(answers[9]).toMatchObject({ error: { field: "call", hint: "known: echo, slow, held, broken" } });
  });

  test("refuses a line over the limit at once, drops it, and reads the next one", async () => {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const answers = await talk(channel.socket, (socket) => {
      const block = Buffer.alloc(1 << 20, "x");
      let left = 160;
      const pour = () => {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        if (left-- > 0) socket.write(block, pour);
        else socket.end(`\n${line({ call: "echo", text: "after" })}`);
      };
      pour();
    });
    expect(codes(answers)).toEqual(["line_too_long", "ok"]);
    expect(most).toBeLessThan(80 << 20);
    const long = await callChannel(channel, { call: "echo", text: "x".repeat(maxLineBytes) });
    expect(codes([long])).toEqual(["line_too_long"]);
    const fits = await callChannel(channel, { call: "echo", text: "x".repeat(maxLineBytes - 200) });
    expect(codes([fits])).toEqual(["ok"]);
  });

  test("serves several clients at once, and a pending call does not block others", async () => {
    const held = callChannel(channel, { call: "held" });
    const many = await Promise.all(
      Array.from({ length: 40 }, (_, index) => callChannel(channel, { call: "echo", index })),
    );
    const given = many.map((answer) => (answer.ok ? (answer.result as { index: number }).index : -1));
    expect(given).toEqual(Array.from({ length: 40 }, (_, index) => index));
    letGo();
    expect(await held).toMatchObject({ ok: true, result: "let go" });
  });

  inCi("survives peers that disconnect within a line, a call or an answer", async () => {
    for (let round = 0; round < 20; round++) {
      for (const text of [
        line({ call: "echo" }).slice(0, 20),
        line({ call: "slow" }),
        line({ call: "echo" }).repeat(500),
      ])
        await new Promise<void>((resolve) => {
          const socket = createConnection({ path: channel.socket });
          socket.on("error", () => undefined);
          socket.on("connect", () =>
            socket.write(text, () => (round % 2 === 0 ? socket.destroy() : socket.end().resume())),
          );
          socket.on("close", () => resolve());
        });
    }
    expect(codes([await callChannel(channel, { call: "echo" })])).toEqual(["ok"]);
  });

  test("opens and closes in a few milliseconds", async () => {
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const began = performance.now();
      const one = (await open()).channel;
      await one.close();
      times.push(performance.now() - began);
    }
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(20);
  });
});

describe("an ended channel", () => {
  test("leaves no files, closes its connections, and refuses its token everywhere", async () => {
    const { channel } = await open();
    const waiting = callChannel(channel, { call: "slow" });
    const idle = talk(channel.socket, () => undefined);
    await pause(30);
    await channel.close();
    expect(await waiting).toMatchObject({
      ok: false,
      error: { code: "not_your_dispatch", message: "the dispatch ended before it answered" },
    });
    expect(await idle).toEqual([]);
    expect(await stat(dirname(channel.socket)).catch(() => "gone")).toBe("gone");
    expect(await callChannel(channel, { call: "echo" })).toMatchObject({
      ok: false,
      error: {
        code: "not_your_dispatch",
        message: "the dispatch has ended: nothing listens at its socket (ENOENT)",
      },
    });
    const next = (await open()).channel;
    const stale = await callChannel({ socket: next.socket, token: channel.token }, { call: "echo" });
    expect(stale).toMatchObject({ ok: false, error: { code: "not_your_dispatch" } });
  });
});

describe("the folder of a socket", () => {
  test("is created elsewhere if the path is too long or not writable", async () => {
    const deep = join(newFolder(), "deep".repeat(20));
    await mkdir(deep);
    const first = await makeFolder([deep, tmpdir()]);
    const second = await makeFolder(["/dev/null/nowhere", tmpdir()]);
    expect([first, second].map((socket) => dirname(dirname(socket)))).toEqual([tmpdir(), tmpdir()]);
    await expect(makeFolder([deep])).rejects.toThrow(/too long for a socket/);
    await expect(makeFolder(["/dev/null/nowhere"])).rejects.toThrow(/ENOTDIR/);
    await Promise.all([removeFolder(first), removeFolder(second)]);
  });

  test("is removed after its process was killed, but never while a process listens or may be about to", async () => {
    const parent = newFolder();
    const make = async (name: string, ageMs = 3_600_000) => {
      const folder = join(parent, name);
      await mkdir(folder);
      const when = new Date(Date.now() - ageMs);
      return { folder, old: () => utimes(folder, when, when) };
    };
    const living = await make("mettle-channel-living");
    const server = createServer((socket) => socket.end("{}\n")).listen(join(living.folder, "s"));
    const dead = await make("mettle-channel-dead");
    await leaveSocket(join(dead.folder, "s"));
    const others = [
      await make("mettle-channel-young", 0),
      await make("other-channel"),
      await make("mettle-channel-empty"),
    ];
    for (const one of [living, dead, ...others]) await one.old();
    await sweepFolders(parent);
    expect((await readdir(parent)).sort()).toEqual([
      "mettle-channel-living",
      "mettle-channel-young",
      "other-channel",
    ]);
    await sweepFolders(join(parent, "nothing"));
    server.close();
  });
});

/** The socket file of a killed process. */
async function leaveSocket(path: string): Promise<void> {
  const program = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  await new Promise<void>((done) => execFile(process.execPath, ["-e", program], () => done()));
}
