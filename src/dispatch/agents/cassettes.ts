import { readFile } from "node:fs/promises";
import { Cassette } from "../../agents/scripted/cassette.ts";
import { AppError } from "../../lib/errors.ts";
import { refuseNewer } from "../../lib/refuse-newer.ts";
import { parseYaml } from "../../lib/yaml/yaml-document.ts";

/** Reads and checks a cassette file; throws `cassette_invalid` with every fault and its place. */
export async function readCassette(path: string): Promise<Cassette> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new AppError("cassette_invalid", `the cassette ${path} cannot be read`, {
      hint: "give the path of a cassette: --agent scripted:FILE",
      cause,
    });
  });
  return parseYaml({ text, file: path }, (raw) => schemaFor(raw, path), "cassette_invalid").value;
}

function schemaFor(raw: unknown, path: string): typeof Cassette {
  refuseNewer(raw, { what: path, known: 1 });
  return Cassette;
}
