/** Escape attempts of a confined agent, as shell lines. Each prints its name and whether it succeeded. */
export interface Places {
  readonly repository: string;
  /** State home of the repository. */
  readonly state: string;
  /** Home of the user. */
  readonly home: string;
  /** A foreign socket. */
  readonly socket: string;
  /** Id of a process outside. */
  readonly pid: number;
}

const attempt =
  'try() { name="$1"; shift; if ( "$@" ) > "$HOME/tried" 2>&1; then echo "$name: got through"; else echo "$name: failed"; fi; }';

export function escapes({ repository, state, home, socket, pid }: Places): string {
  const test = "test/slugify.test.js";
  const connect = `require("net").connect("${socket}").on("connect",()=>process.exit(0)).on("error",()=>process.exit(1))`;
  return `${attempt}
try "control: source" sh -c 'echo x > src/tried.js && rm src/tried.js'
try "control: temporary" sh -c 'echo x > "$TMPDIR/x" && echo x > /tmp/x'
try "frozen: append" sh -c 'echo x >> ${test}'
try "frozen: node" node -e 'require("fs").writeFileSync("${test}", "")'
try "frozen: delete" rm -f ${test}
try "frozen: rename" mv ${test} test/other.js
try "frozen: rename the folder" mv test away
try "frozen: link" ln -sfn /tmp test
try "frozen: over it" mv -f src/words.js ${test}
try "frozen: mode" chmod 777 ${test}
try "frozen: umount" sh -c 'umount test || umount -l test || umount ${test} || umount "$PWD"'
try "frozen: remount" sh -c 'mount -o remount,rw test || mount --bind /tmp test'
try "frozen: nested" unshare --user --map-root-user --mount sh -c 'umount test'
try "outside: checkout" sh -c 'echo x >> ${repository}/src/words.js'
try "outside: read the checkout" cat ${repository}/package.json
try "outside: refs" cat ${repository}/.git/HEAD
try "outside: journal" cat ${state}/mettle.db
try "outside: keys" sh -c 'cat ${state}/keys/*'
try "outside: payloads" ls ${state}/payloads
try "outside: state home" sh -c 'echo x > ${state}/x'
try "outside: home" cat ${home}/secret
try "outside: socket" node -e '${connect}'
try "outside: process" kill -0 ${pid}
try "outside: kernel settings" node -e 'require("fs").openSync("/proc/sys/kernel/core_pattern", 1)'
try "outside: shadow" cat /etc/shadow
try "outside: private keys" sh -c 'ls /etc/ssl/private | grep .'
try "outside: machine" sh -c 'echo x > /etc/mettle-tried'
try "control: dependency" cat node_modules/dep/index.js
try "dependency: write" sh -c 'echo x >> node_modules/dep/index.js'
try "dependency: write at its place" sh -c 'echo x >> ${repository}/node_modules/dep/index.js'
try "dependency: add" mkdir node_modules/added
try "dependency: replace" sh -c 'rm -r node_modules/dep || mv node_modules/dep node_modules/away'
ls ${state} | sed 's/^/state /'
ls ${state}/worktrees/* | sed 's/^/worktree /'`;
}

/** Prints what it sees: workspace files, git objects, write permission, and for the planner the memory tools. */
export function looks(mcp: string, role: string): string {
  const say = (method: string, id: number | null, params: object) =>
    JSON.stringify({ jsonrpc: "2.0", ...(id === null ? {} : { id }), method, params });
  const lines = [
    say("initialize", 1, {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "look", version: "1" },
    }),
    say("notifications/initialized", null, {}),
    say("tools/list", 2, {}),
    say("tools/call", 3, {
      name: "create_entities",
      arguments: { entities: [{ name: "slugify-plan", entityType: "plan", observations: ["one"] }] },
    }),
  ];
  const ask = `(${lines.map((line) => `echo '${line}'; sleep 0.3`).join("; ")}; sleep 0.5) | node ${mcp} | tr -d '\\n'`;
  return `find . -type f -not -path './.git/*' -not -name .git | sed 's/^[.]./file /'
git log --all --format='commit %H'
git status --porcelain | sed 's/^/changed /'
git fsck --no-progress --unreachable --no-reflogs 2>&1 | sed 's/^/loose /'
if touch tried 2> /dev/null; then rm tried; echo "workspace got through"; else echo "workspace failed"; fi
if touch .claude/temp/tried 2> /dev/null; then rm .claude/temp/tried; echo "documents got through"; else echo "documents failed"; fi
${role === "planner" ? `printf 'memory %s\\n' "$( ${ask} )"` : ""}`;
}
