/** The secrets of a run: what its settings forward to agents and tests, env files of tests included. */
import type { Settings } from "../config/settings.ts";
import type { Repository } from "../git/repository.ts";
import { envFileSecrets } from "../proof/execute/test-setup.ts";
import type { Host } from "./context.ts";
import { withForwardedSecrets } from "./host.ts";

export async function withRunSecrets(host: Host, settings: Settings, repository: Repository): Promise<Host> {
  const known = withForwardedSecrets(host, settings);
  return { ...known, secrets: [...known.secrets, ...(await envFileSecrets(settings.tests, repository))] };
}
