/** `mettle status` as a program of its own: people and status lines call it all the time, so its code is one CommonJS file. */
import { main } from "./run-command.ts";

void main(process.argv.slice(2)).then((code) => (process.exitCode = code));
