/** Executes one call of the knowledge graph by name. Validates its arguments, which come from an agent. */
import * as z from "zod";
import en from "zod/v4/locales/en.js";
import { assertNever } from "../../lib/assert-never.ts";
import { AppError } from "../../lib/errors.ts";
import type { Graph } from "./graph.ts";
import { graphShapes, type GraphCall } from "./shapes.ts";

/** The result of a call, for its caller. */
export type GraphCallResult =
  | { readonly type: "answered"; readonly value: Readonly<Record<string, unknown>> }
  /** The arguments are invalid; `why` has the messages of server-memory. */
  | { readonly type: "misread"; readonly why: string }
  | { readonly type: "failed"; readonly why: string };

/** Clients of server-memory know its messages about arguments. */
const serverMemoryMessages = { error: en().localeError };

/** Rejects only for internal errors. */
export async function callGraph(
  /** Opens the graph, which may fail. */
  open: () => Promise<Graph>,
  call: GraphCall,
  args: unknown,
): Promise<GraphCallResult> {
  try {
    return { type: "answered", value: await perform(await open(), call, args ?? {}) };
  } catch (error) {
    // Only the validation of the arguments throws this.
    if (error instanceof z.ZodError) return { type: "misread", why: issuesText(error) };
    if (error instanceof AppError) return { type: "failed", why: failureText(error) };
    throw error;
  }
}

/** An error that server-memory reports too has its message unchanged. */
function failureText({ code, message, hint }: AppError): string {
  return code === "entity_unknown" ? message : `error[${code}]: ${message}\nhint: ${hint}`;
}

async function perform(
  graph: Graph,
  call: GraphCall,
  args: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  switch (call) {
    case "create_entities":
      return {
        entities: await graph.createEntities(
          graphShapes[call].input.parse(args, serverMemoryMessages).entities,
        ),
      };
    case "create_relations":
      return {
        relations: await graph.createRelations(
          graphShapes[call].input.parse(args, serverMemoryMessages).relations,
        ),
      };
    case "add_observations":
      return {
        results: await graph.addObservations(
          graphShapes[call].input.parse(args, serverMemoryMessages).observations,
        ),
      };
    case "delete_entities":
      await graph.deleteEntities(graphShapes[call].input.parse(args, serverMemoryMessages).entityNames);
      return { success: true, message: "Entities deleted successfully" };
    case "delete_observations":
      await graph.deleteObservations(graphShapes[call].input.parse(args, serverMemoryMessages).deletions);
      return { success: true, message: "Observations deleted successfully" };
    case "delete_relations":
      await graph.deleteRelations(graphShapes[call].input.parse(args, serverMemoryMessages).relations);
      return { success: true, message: "Relations deleted successfully" };
    case "read_graph":
      graphShapes[call].input.parse(args, serverMemoryMessages);
      return { ...(await graph.read()) };
    case "search_nodes":
      return { ...(await graph.search(graphShapes[call].input.parse(args, serverMemoryMessages).query)) };
    case "open_nodes":
      return { ...(await graph.open(graphShapes[call].input.parse(args, serverMemoryMessages).names)) };
    default:
      return assertNever(call);
  }
}

function issuesText({ issues }: z.ZodError): string {
  return issues
    .map(({ message, path }) => (path.length === 0 ? message : `${message} at ${placeOf(path)}`))
    .join("\n");
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      index === 0 ? String(step) : typeof step === "number" ? `[${step}]` : `.${String(step)}`,
    )
    .join("");
}
