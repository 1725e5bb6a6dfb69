/** The suite makes no connections; test/cli/demo.test.ts proves the same of the demo. */
import { connect } from "node:net";
import { expect } from "vitest";
import { verifies } from "./verifies.ts";

verifies("CORE-99", "no test of this suite can connect to another machine", () => {
  for (const open of [
    () => connect(80, "192.0.2.1"),
    () => connect({ port: 443, host: "example.com" }),
    () => connect({ port: 443, host: "2001:db8::1" }),
  ])
    expect(open).toThrow(/^a connection to /u);
  const own = connect(1, "127.0.0.1");
  own.on("error", () => undefined);
  own.destroy();
});
