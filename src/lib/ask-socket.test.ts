import { rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { askSocket } from "./ask-socket.ts";

let folder: string;
let path: string;
let stop: () => Promise<void>;
beforeEach(() => {
  folder = newFolder();
  path = join(folder, "s");
  stop = () => Promise.resolve();
});
afterEach(() => stop());

async function listen(talk: (socket: Socket) => void): Promise<void> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    talk(socket);
  });
  await new Promise<void>((done) => server.listen(path, done));
  stop = () =>
    new Promise((done) => {
      for (const socket of open) socket.destroy();
      server.close(() => done());
    });
}

const ask = (line = "question", timeoutMs = 5_000) => askSocket({ path, line, timeoutMs });

test("an answer may come in pieces, and what follows its line is not waited for", async () => {
  await listen((socket) => {
    socket.on("data", (chunk) => {
      socket.write(`you said ${chunk.toString("utf8").trim()}: `);
      setTimeout(() => socket.write("yes\nand more"), 20);
    });
  });
  expect(await ask("ä")).toEqual({ type: "answered", line: "you said ä: yes" });
});

test("nobody there, no socket there, silence, a torn line and a late answer are told apart", async () => {
  expect(await ask()).toEqual({ type: "unreachable", code: "ENOENT" });
  await writeFile(path, "");
  expect(await ask()).toEqual({ type: "unreachable", code: "ECONNREFUSED" });
  await rm(path);
  await listen((socket) => socket.end("half a li"));
  expect(await ask()).toEqual({ type: "silent" });
  await stop();
  await listen(() => undefined);
  expect(await ask("question", 100)).toEqual({ type: "late" });
});

test("an answer without an end is not kept for ever", async () => {
  await listen((socket) => {
    const block = Buffer.alloc(1 << 20, "x");
    const pour = () => {
      if (!socket.destroyed) socket.write(block, () => pour());
    };
    pour();
  });
  expect(await ask()).toEqual({ type: "silent" });
});

test("who refuses before it has read everything is still heard", async () => {
  await listen((socket) => {
    socket.once("data", () => {
      socket.pause();
      socket.end("no more\n");
    });
  });
  expect(await ask("x".repeat(8 << 20))).toEqual({ type: "answered", line: "no more" });
});
