/** What a scripted model is asked and answers, whatever the wire format. */
import type { ServerResponse } from "node:http";

/** What the model answers to one request. */
export type ModelStep =
  | {
      readonly text?: string;
      readonly tools?: readonly { readonly name: string; readonly input: unknown }[];
    }
  | {
      readonly status: number;
      /** How long the program is to wait, 50 ms where nothing is said: programs wait for longer with each try. */
      readonly retryAfterMs?: number;
    }
  | { readonly hang: true };

export type ModelAnswer = Extract<ModelStep, { readonly text?: string }>;

/** One vendor's way to ask a model and to be answered. */
export interface Wire {
  /** Whether a request of this path asks the model. */
  asks(path: string): boolean;
  /** The model and the tools of a request. */
  read(path: string, body: string): Pick<ModelRequest, "model" | "tools">;
  say(response: ServerResponse, step: ModelAnswer, request: ModelRequest & { readonly nth: number }): void;
  failure(status: number): object;
}

/** A request as the model saw it. */
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
