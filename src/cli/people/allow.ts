import type { CommandHandler } from "../command.ts";
import { setRule } from "./rule.ts";

export const run: CommandHandler = (io, given) => setRule(io, given, true);
