/** Requests and answers of a scripted model, independent of the API. */
import type { ServerResponse } from "node:http";

/** The answer to one request. */
export type ModelStep =
  | {
      readonly text?: string;
      readonly tools?: readonly { readonly name: string; readonly input: unknown }[];
    }
  | {
      readonly status: number;
      /** Wait that the program is asked for; default 50 ms, since programs wait longer with each retry. */
      readonly retryAfterMs?: number;
    }
  | { readonly hang: true };

export type ModelAnswer = Extract<ModelStep, { readonly text?: string }>;

/** The API of one vendor. */
export interface Wire {
  /** Whether a path is a model request. */
  asks(path: string): boolean;
  /** Reads model and tools of a request. */
  read(path: string, body: string): Pick<ModelRequest, "model" | "tools">;
  say(response: ServerResponse, step: ModelAnswer, request: ModelRequest & { readonly nth: number }): void;
  failure(status: number): object;
}

/** A request to the model. */
export interface ModelRequest {
  readonly path: string;
  readonly model: string;
  readonly tools: readonly string[];
  /** The whole conversation and the system prompt, as text. */
  readonly body: string;
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
