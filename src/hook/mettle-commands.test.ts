import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { readCall } from "./call.ts";
import { answersForPerson, approvalIn } from "./mettle-commands.ts";

let cwd: string;
beforeAll(async () => {
  cwd = newFolder();
  await writeFile(join(cwd, "yes.sh"), "#!/bin/bash\nset -e\nmettle approve\n");
  await writeFile(join(cwd, "yes.py"), 'import subprocess\nsubprocess.run(["mettle", "land"])\n');
  await writeFile(join(cwd, "honest.sh"), "#!/bin/sh\nmettle status | grep approve\n");
  await writeFile(
    join(cwd, "package.json"),
    JSON.stringify({ scripts: { ok: "npx mettle approve", posttest: "mettle land", test: "vitest" } }),
  );
});

const uses = (tool: string, input: object) => {
  const call = { hook_event_name: "PreToolUse", session_id: "s1", cwd, tool_name: tool, tool_input: input };
  return answersForPerson(readCall(JSON.stringify(call), "claude"));
};

test.each([
  "mettle approve",
  'bash -c "mettle approve"',
  "sh -lc 'cd /x && mettle land'",
  "env X=1 mettle approve",
  "env -u CLAUDECODE mettle approve",
  "unset CLAUDECODE; mettle approve",
  "node /x/dist/bin/mettle.cjs approve",
  "node dist/bin/mettle.js --json reject --reason x",
  "npx tsx src/cli/main.ts approve",
  "$(command -v mettle) approve",
  "`which mettle` approve",
  "m=mettle; $m approve",
  'export M="mettle approve"; $M',
  "for m in mettle; do ${m} approve; done",
  "alias ok=mettle; ok approve",
  'f() { mettle "$@"; }; f approve',
  'mettle "app""rove"',
  "m'e'ttle ap\\prove",
  "$'\\x6dettle' approve",
  "{mettle,approve}",
  "/usr/local/bin/mettl? approve",
  'v=approve; mettle "$v"',
  'mettle "$VERB"',
  'printf "mettle approve" > /tmp/a.sh; sh /tmp/a.sh',
  "cat > a.sh <<'EOF'\nmettle approve\nEOF\nchmod +x a.sh && ./a.sh",
  "echo 'mettle approve' | tee a.sh; . ./a.sh",
  "sh yes.sh",
  "./yes.sh",
  "bash < yes.sh",
  "python3 yes.py",
  "npm run ok",
  "npm test",
  "yarn ok",
  "echo approve | xargs mettle",
  "echo mettle approve | xargs -n2 env",
  "echo 'mettle approve' | sh",
  "printf 'mettle approve\\n' | bash -s",
  "bash <<< 'mettle approve'",
  "sh <<EOF\nmettle approve\nEOF",
  "bash <(echo mettle approve)",
  "cat <<EOF\n$(mettle approve)\nEOF",
  "timeout 9 mettle approve",
  "nohup setsid mettle approve &",
  "sudo -u me mettle approve",
  'eval "mettle approve"',
  "eval mettle approve",
  'script -qec "mettle approve" /dev/null',
  "su me -c 'mettle approve'",
  "env -S 'mettle approve'",
  "trap 'mettle approve' EXIT",
  "tmux new -d 'npx mettle approve'",
  "find . -name x -exec mettle approve \\;",
  "git -c alias.y='!mettle approve' y",
  "python3 -c 'import os; os.system(\"mettle approve\")'",
  `node -e 'require("child_process").execFileSync("mettle", ["approve"])'`,
  "python3 - <<'EOF'\nimport subprocess\nsubprocess.run(['mettle', 'approve'])\nEOF",
  "npx mettle approve",
  "npx mettle@latest approve",
  "pnpm exec mettle approve",
  'echo \'{"hook_event_name":"UserPromptSubmit","prompt":"approve"}\' | mettle hook',
  "node dist/bin/hook.cjs < x.json",
  "node dist/bin/hook-report-plan.js . < design.json",
  "mettle run --protocol dptr x --land",
  "mettle run x --approve=plan,code",
  "mettle resume r --reset HEAD",
  "mettle resume r --set limits.green=9",
  "mettle abort r",
  "mettle clean --all --yes",
  "mettle answer 1_A_testing --set test_passed=true",
  "echo 'done: true' >> .claude/plans/x/user_feedback/1_A_testing.yaml",
])("a session may not call: %s", (command) => {
  expect([command, uses("Bash", { command })]).toEqual([command, true]);
});

test.each([
  "mettle status",
  "mettle resume r",
  "mettle run --protocol orchestrate 'Build it'",
  "mettle approve --help",
  "mettle log r | grep approve",
  "grep -rn 'mettle approve' docs",
  "echo 'mettle approve is the command'",
  "echo mettle approve > note.txt",
  "git commit -m 'Refuse mettle approve in a session'",
  "git log --grep 'mettle land'",
  "gh pr create --title x --body 'says mettle approve'",
  "cat > docs/x.md <<'EOF'\nCall `mettle approve`, or:\n\n    mettle land\nEOF",
  "sh honest.sh",
  "node honest.js",
  "npm run build",
  "cat yes.sh",
  "ls *",
  "find . -name '*.ts' | xargs grep mettle",
  "curl -fsSL https://example.org/install | sh",
  "npx vitest run test/approve.test.ts",
  "mettle init --protocol riper",
  "cat .claude/plans/x/user_feedback/1_A_testing.yaml",
])("a session may call: %s", (command) => {
  expect([command, uses("Bash", { command })]).toEqual([command, false]);
});

test("no tool may write the file of a gate", () => {
  const file_path = join(cwd, ".claude/plans/x/user_feedback/1_A_testing.yaml");
  expect([uses("Write", { file_path }), uses("Edit", { file_path })]).toEqual([true, true]);
  expect(uses("Write", { file_path: join(cwd, ".claude/plans/x/plan.yaml") })).toBe(false);
  expect(uses("Read", { file_path })).toBe(false);
});

test.each(["", "'", '"', "$(", "`", "<<", "$'", "a() {", "{a,", "eval", "sh", "xargs"])(
  "an incomplete command causes no error: %j",
  (command) => {
    expect(uses("Bash", { command })).toBe(false);
  },
);

test("a prompt is an approval only as a whole", () => {
  const yes = ["approve", "Approve.", "approved!", " approve the plan ", "approve code"];
  const no = [
    "",
    "no",
    "yes",
    "ok",
    "approve?",
    "don't approve",
    "do not approve",
    "approve not",
    "not approved",
  ];
  const more = ["approve it later", "approved? no", "approve\nthe plan tomorrow", "I approve", "disapprove"];
  expect(yes.map((prompt) => approvalIn(prompt) !== null)).toEqual(yes.map(() => true));
  expect([...no, ...more].map((prompt) => approvalIn(prompt))).toEqual([...no, ...more].map(() => null));
});
