/** The commands of `envoy knowledge`. */
import { argument } from "../../../lib/command-line/row.ts";
import { type EnvoyCommand } from "../../command.ts";

export const knowledge: readonly EnvoyCommand[] = [
  {
    name: "knowledge search",
    reads: true,
    summary: "search the documentation for a phrase; best match first",
    inputs: [
      argument("index", "docs: the Markdown files of this checkout"),
      argument("query", "a whole descriptive phrase, in quotes"),
    ],
    load: () => import("./search.ts"),
  },
];
