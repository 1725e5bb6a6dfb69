/**
 * `mettle envoy`: Envoy, which is a program of its own beside this one. It is loaded by its path, since the two are equals and
 * neither imports the other; it reads its own line and prints its own answer, the same byte for byte under both names.
 */
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../config/package-root.ts";
import type { CliCommand } from "../command.ts";

export const command: CliCommand = {
  define: (line) =>
    line.argument("<command...>", "as of envoy").option("--inputs <json>", "protocol: its inputs"),
  async whole(argv) {
    const loaded: unknown = await import(pathToFileURL(packageRoot("dist/bin/envoy.js")).href);
    if (!isEnvoy(loaded)) throw new Error("dist/bin/envoy.js has another shape");
    return loaded.envoy(argv);
  },
  run: async () => {
    throw new Error("envoy takes its whole line");
  },
};

function isEnvoy(
  loaded: unknown,
): loaded is { readonly envoy: (argv: readonly string[]) => Promise<number> } {
  return (
    typeof loaded === "object" && loaded !== null && "envoy" in loaded && typeof loaded.envoy === "function"
  );
}
