import { expect, test } from "vitest";
import { toolFor } from "./forge.ts";

const host = { path: "/nowhere", env: {}, secrets: [], node: "" };

test("the host of the remote says which program opens its merge requests, however the address is written", async () => {
  const addresses: Readonly<Record<string, string>> = {
    "https://github.com/acme/shop.git": "gh is not on PATH",
    "ssh://git@github.com:22/acme/shop": "gh is not on PATH",
    "git@github.com:acme/shop.git": "gh is not on PATH",
    "https://user@github.example.org/acme/shop": "gh is not on PATH",
    "https://gitlab.com/acme/tools/shop.git": "glab is not on PATH",
    "git@gitlab.example.org:acme/shop.git": "glab is not on PATH",
    "https://example.org/github.com/shop.git": "neither gh nor glab is on PATH",
    "https://notgithub.com/acme/shop.git": "neither gh nor glab is on PATH",
    "../github.com/shop.git": "neither gh nor glab is on PATH",
    "/srv/gitlab.com/shop.git": "neither gh nor glab is on PATH",
  };
  for (const [address, why] of Object.entries(addresses))
    expect([address, await toolFor({ host }, address)]).toEqual([address, { why }]);
});
