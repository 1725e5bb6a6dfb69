/** `mettle keys show`: prints the public key of this host, to be enrolled by an operator on another one. */
import { pemOf } from "../../evidence/public-key.ts";
import { withHost } from "../../run/host.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = (io) =>
  withHost(io.cwd, async (host) => {
    const { id, publicKey } = await host.ownKey();
    const found = (await host.register?.find(id)) ?? null;
    const pem = pemOf(publicKey);
    return {
      exit: 0,
      json: {
        key: id,
        public_key: pem,
        name: found?.name ?? null,
        revoked: (found?.revoked ?? null) !== null,
      },
      text: pem.trimEnd(),
      isData: true,
    };
  });
