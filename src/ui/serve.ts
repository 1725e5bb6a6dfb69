/** `mettle ui`: serves the page of this user's runs on the loopback until its signal. */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Env } from "../config/env.ts";
import { newId } from "../lib/ids.ts";
import type { Clock } from "../lib/clock.ts";
import { listenOnLoopback } from "../process/network/loopback-server.ts";
import { openSessions } from "./access/sessions.ts";
import type { Deciders } from "./decisions.ts";
import { watchRuns } from "./live/watch.ts";
import { pageApp } from "./page-app.ts";
import { watchProgram } from "./replaced-program.ts";
import { readPageFiles } from "./page-files.ts";
import { runReaders } from "./run-reader.ts";
import { openStores } from "./stores/opened.ts";

export interface UiOptions {
  /** 0: any free port. */
  readonly port: number;
  /** The parent of all state homes. */
  readonly stateRoot: string;
  readonly env: Env;
  readonly clock: Clock;
  readonly version: string;
  /** The folder of the page's built files. */
  readonly folder: string;
  /** Files that every upgrade of the program writes anew. */
  readonly program?: readonly string[];
  readonly deciders: Deciders;
  readonly signal: AbortSignal;
  readonly warn: (line: string) => void;
}

export interface ServedPage {
  readonly port: number;
  /** A new address that works once. */
  newAddress(): string;
  close(): Promise<void>;
}

const maxConnections = 128;
const placeLength = 16;

export async function servePage({ port, clock, signal, warn, ...options }: UiOptions): Promise<ServedPage> {
  const ended = new AbortController();
  const done = AbortSignal.any([signal, ended.signal]);
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
  server.maxConnections = maxConnections;
  const bound = await listenOnLoopback(server, port);
  const place = newId(placeLength);
  const sessions = openSessions(clock);
  const stores = openStores({ root: options.stateRoot, env: options.env, clock });
  const readers = runReaders(stores);
  const app = pageApp({
    place,
    port: bound,
    sessions,
    files: readPageFiles(options.folder, options.version),
    stores,
    readers,
    program: watchProgram(options.program ?? []),
    deciders: options.deciders,
    watch: watchRuns(stores, { clock, signal: done }),
    clock,
    boot: newId(),
    signal: done,
    warn,
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on("request", (request, response) => void listener(request, response));
  return {
    port: bound,
    newAddress: () => `http://127.0.0.1:${bound}/${place}/enter?token=${sessions.issueToken()}`,
    async close() {
      ended.abort();
      server.close();
      server.closeAllConnections();
      await readers.close();
      await stores.close();
    },
  };
}
