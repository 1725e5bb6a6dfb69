/** `mettle envoy`: Envoy, which reads its own line and prints its own answer, the same byte for byte under both names. */
import { loadEnvoy } from "../../runtime/envoy-program.ts";
import type { CliCommand } from "../command.ts";

export const command: CliCommand = {
  define: (line) =>
    line.argument("<command...>", "as of envoy").option("--inputs <json>", "protocol: its inputs"),
  whole: async (argv) => (await loadEnvoy()).envoy(argv),
  run: async () => {
    throw new Error("envoy takes its whole line");
  },
};
