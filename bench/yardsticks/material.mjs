// The kinds of material whose shape is known here.
import { readExercism } from "./exercism.mjs";
import { readQuixbugs } from "./quixbugs.mjs";
import { readSolutions } from "./solutions.mjs";
import { mochaArguments, readBugs, settingsOfBug } from "./bugsjs.mjs";

const readers = { quixbugs: readQuixbugs, exercism: readExercism, solutions: readSolutions };

export const kinds = [...Object.keys(readers), "bugsjs"];

export function readMaterial(kind, folder) {
  const read = readers[kind];
  if (read === undefined) throw new Error(`the material ${kind} is not known: ${kinds.join(", ")}`);
  return read(folder);
}

export { mochaArguments, readBugs, settingsOfBug };
