/** `mettle envoy`: calls Envoy, which parses its own arguments; its output is the same as that of `envoy`. */
import { loadEnvoy } from "../../plans/envoy-program.ts";

export async function runProgram(argv: readonly string[]): Promise<number> {
  return (await loadEnvoy()).envoy(argv);
}
