/** `mettle envoy`: Envoy, which reads its own line and prints its own answer, the same byte for byte under both names. */
import { loadEnvoy } from "../../plans/envoy-program.ts";

export async function whole(argv: readonly string[]): Promise<number> {
  return (await loadEnvoy()).envoy(argv);
}
