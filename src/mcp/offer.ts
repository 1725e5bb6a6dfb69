/** Chooses the tools for this process: those of its dispatch, or those of the repository. */
import { currentDispatch } from "../channel/current-dispatch.ts";
import { dispatchOffer } from "./dispatch-offer.ts";
import { envoyToolsBehind } from "./envoy-tools.ts";
import type { ToolGroup } from "../config/tool-groups.ts";
import { emptyOffer, type OpenOffer } from "./tool-set.ts";

/** @param groups the tools to offer outside a dispatch; a dispatch has its own */
export async function openOffer(cwd: string, groups: readonly ToolGroup[]): Promise<OpenOffer> {
  const here = await currentDispatch();
  switch (here.type) {
    case "dispatch": {
      const offer = dispatchOffer(here);
      const envoy = here.envoy ? [await envoyToolsBehind(here.channel, cwd)] : [];
      return { ...offer, sets: [...offer.sets, ...envoy], close: async () => undefined };
    }
    case "lost":
      return emptyOffer(here.why);
    case "none": {
      // Loaded only outside a dispatch, since it opens the store.
      const { repositoryOffer } = await import("./repository-offer.ts");
      return repositoryOffer(cwd, groups);
    }
  }
}
