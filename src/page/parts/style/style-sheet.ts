/** The style sheet of a run, for the live page and the page to keep. Dark and light follow the system or a class on `html`. */
import { layout } from "./layout.ts";
import { marks } from "./marks.ts";
import { pictures } from "./pictures.ts";
import { tables } from "./tables.ts";

export const styleSheet = [layout, marks, tables, pictures].join("\n");
