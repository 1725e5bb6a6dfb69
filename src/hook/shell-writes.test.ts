import { expect, test } from "vitest";
import { shellTargets } from "./shell-writes.ts";

/** Recognised forms, with one target per command. */
const forms: readonly (readonly [command: string, path: string])[] = [
  ["echo x > t.js", "t.js"],
  ["echo x >> t.js", "t.js"],
  ["echo x >| 't.js'", "t.js"],
  ["node a.js &> t.js", "t.js"],
  ["node a.js 2>t.js", "t.js"],
  ["cat a.js | tee -a t.js", "t.js"],
  ["cat > t.js <<'EOF'\nrm src/other.js > here\nEOF\n", "t.js"],
  ["sed -i.bak -e s/1/2/ t.js", "t.js"],
  ["sed -i 's/a b/c/' t.js", "t.js"],
  ["perl -pi -e 's/1/2/' t.js", "t.js"],
  ["cp a.js t.js", "t.js"],
  ["cp -t t a.js", "t/a.js"],
  ["cp lib/a.js t/", "t/a.js"],
  ["install -m 644 a.js t.js", "t.js"],
  ["ln -sf a.js t.js", "t.js"],
  ["rm -rf t", "t"],
  ["truncate -s 0 t.js", "t.js"],
  ["dd if=/dev/null of=t.js", "t.js"],
  ["touch t.js", "t.js"],
  ["unlink t.js", "t.js"],
  ["git checkout HEAD~1 -- t.js", "t.js"],
  ["git restore --source=HEAD~1 t.js", "t.js"],
  ["git -C . rm -f t.js", "t.js"],
  ["git stash", "."],
  ["git reset --hard HEAD~1", "."],
  ['bash -c "echo x > t.js"', "t.js"],
  ["eval 'echo x > t.js'", "t.js"],
  ["sh <<EOF\necho x > t.js\nEOF", "t.js"],
  ["echo $(echo x > t.js)", "t.js"],
  ['echo "a $(rm t.js) b"', "t.js"],
  ["if true; then rm t.js; fi", "t.js"],
  ["sudo env A=b timeout 5 rm t.js", "t.js"],
  ["find t -name '*.js' -delete", "t"],
  ["npx prettier --write t.js", "t.js"],
  ["curl -so t.js http://x", "t.js"],
  ["sort -o t.js a", "t.js"],
  ["( rm t.js )", "t.js"],
  ["true && { rm t.js; }", "t.js"],
];

test.each(forms)("%s writes %s", (command, path) => {
  expect(shellTargets(command)).toEqual([{ path, folder: "", guessed: false }]);
});

test("a move writes source and target, and cd applies to the following commands", () => {
  expect(shellTargets("mv a.js t.js").map(({ path }) => path)).toEqual(["a.js", "t.js"]);
  expect(shellTargets("cd test && cd unit; rm a.js; cd /tmp && rm b.js")).toEqual([
    { path: "a.js", folder: "test/unit", guessed: false },
    { path: "b.js", folder: "/tmp", guessed: false },
  ]);
});

test.each([
  `python3 -c "open('t.js','w').write('x')"`,
  `node -e 'require("fs").writeFileSync("t.js", "")'`,
  `python3 - <<'EOF'\nfrom pathlib import Path\nPath("t.js").write_text("x")\nEOF`,
  `node --eval "fs.rmSync('t.js')"`,
  `awk '{ print > "t.js" }' a`,
])("code of another language may write the paths it contains: %s", (command) => {
  expect(shellTargets(command)).toContainEqual({ path: "t.js", folder: "", guessed: true });
});

test.each([
  "cat t.js",
  "node --test test/*.test.js 2>&1 | head -5",
  "git status --porcelain; git diff -- t.js; git stash list; git log -p t.js",
  "git checkout main",
  "grep -rn 'a > b' t.js",
  'echo "x > t.js"',
  "sed -n 1,5p t.js",
  "node -e 'console.log(require(\"./t.js\"))'",
  "test -f t.js && echo yes >/dev/null 2>/dev/null",
  "# rm t.js",
  "npm test <<< t.js",
  "prettier --check t.js",
  "sort t.js",
  "cp t.js",
])("nothing is written: %s", (command) => {
  expect(shellTargets(command)).toEqual([]);
});

test.each(["", "'", '"', "$(", "`", "<<", ">", "cat <<EOF\nx", "a\\", "((((", "{ { {"])(
  "an incomplete command causes no error: %j",
  (command) => {
    expect(shellTargets(command)).toEqual([]);
  },
);
