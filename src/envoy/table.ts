/** Every command that answers with one object. A group adds one line here and its own table. */
import type { EnvoyCommand } from "./command.ts";
import { gemini } from "./commands/gemini/table.ts";
import { git } from "./commands/git/table.ts";
import { knowledge } from "./commands/knowledge/table.ts";
import { plan } from "./commands/plan/table.ts";

export const commands: readonly EnvoyCommand[] = [...plan, ...git, ...gemini, ...knowledge];
