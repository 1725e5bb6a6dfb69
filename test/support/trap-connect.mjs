// Refuses connections to other machines (CORE-99). Loaded into every worker of the suite by
// vitest.config.ts, and into the demo by test/cli/demo.test.ts.
import { Socket } from "node:net";

const connect = Socket.prototype.connect;

Socket.prototype.connect = function (...args) {
  const host = hostOf(args);
  if (host !== null && !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host))
    throw new Error(`a connection to ${host}`);
  return connect.apply(this, args);
};

/** Null: a Unix socket. `net.connect` passes its arguments on as one normalised array. */
function hostOf([first, second]) {
  if (Array.isArray(first)) return hostOf(first);
  if (typeof first === "object" && first !== null)
    return first.path !== undefined ? null : (first.host ?? "localhost");
  if (typeof first === "string" && Number.isNaN(Number(first))) return null;
  return typeof second === "string" ? second : "localhost";
}
