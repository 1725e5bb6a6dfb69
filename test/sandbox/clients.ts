/** Shell lines by which a confined agent calls the runtime: hooks and envoy, also with the token of another dispatch. */
import { packageRoot } from "../../src/config/package-root.ts";

const hook = packageRoot("dist/bin/mettle.js");
const envoy = packageRoot("dist/bin/envoy.cjs");

/** Asks the proxy for a host that no setting names. */
const refused = `require("net").connect(new URL(process.env.HTTPS_PROXY).port, "127.0.0.1").on("data", (data) => { console.log("network " + String(data).split(" ")[1]); process.exit(); }).write("CONNECT unlisted.test:8443 HTTP/1.1\\r\\n\\r\\n")`;

export function unlisted(): string {
  return `for n in 1 2; do node -e '${refused}'; done`;
}

export const search = ["knowledge", "search", "docs", "words of a text"];

export function clients(): string {
  return `hook() { printf '{"hook_event_name":"PreToolUse","tool_name":"Write","cwd":"%s","tool_input":{"file_path":"%s"}}' "$PWD" "$1" | node ${hook} hook; }
search() { node ${envoy} ${search.slice(0, 3).join(" ")} "${search[3] ?? ""}"; }
echo "address $METTLE_SOCKET $METTLE_TOKEN"
printf 'hook test %s\\n' "$(hook test/slugify.test.js)"
printf 'hook source %s\\n' "$(hook src/slugify.js)"
printf 'envoy %s\\n' "$(search)"
METTLE_TOKEN=another; export METTLE_TOKEN
printf 'foreign hook %s\\n' "$(hook test/slugify.test.js 2>&1)"
printf 'foreign envoy %s\\n' "$(search 2>&1 | tail -n 2 | head -n 1)"`;
}
