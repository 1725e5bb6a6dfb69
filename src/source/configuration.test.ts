import { expect, test } from "vitest";
import { isConfiguration } from "./configuration.ts";
import { isInSource, kindOf } from "./paths.ts";

const configuration = [
  "package.json",
  "packages/web/package.json",
  "tsconfig.build.json",
  "vite.config.ts",
  "eslint.config.js",
  "yarn.lock",
  "requirements.txt",
  "requirements/dev.txt",
  "setup.py",
  "noxfile.py",
  "tasks.py",
  "Makefile",
  "Dockerfile",
  "docker-compose.yml",
  "phpunit.xml.dist",
  "composer.json",
  "Gemfile.lock",
  "Rakefile",
  "pom.xml",
  "app/build.gradle.kts",
  "CMakeLists.txt",
  "build.rs",
  "web/vendor/modules.txt",
  ".github/workflows/ci.yml",
  ".env.local",
  ".cargo/config.toml",
  "sitecustomize.py",
  "lib/usercustomize.py",
  "venv/lib/python3.11/site-packages/six.py",
  "extra.pth",
  "node_modules/left-pad/index.js",
  "__mocks__/fs.js",
  "memory-bank/activeContext.md",
  "AGENTS.md",
  "docs/CLAUDE.md",
];

const source = [
  "index.js",
  "components/Cart.tsx",
  "server/handlers/cart.go",
  "shop/cart.py",
  "orders/tasks.py",
  "README.md",
  "docs/cart.md",
  "templates/cart.html",
  "db/migrations/0001_cart.sql",
  "app.config/cart.js",
  "config/routes.rb",
];

test("a name tells configuration from source", () => {
  expect(configuration.filter((path) => !isConfiguration(path))).toEqual([]);
  expect(source.filter((path) => isConfiguration(path))).toEqual([]);
});

test("without paths of its own a project's source is all but tests, fixtures and configuration", () => {
  const rules = { tests: ["tests/"], source: ["src/"], rest: { configuration: ["scripts/"] } };
  const kinds = [...configuration, ...source].map((path) => kindOf(path, rules));
  expect(kinds).toEqual([...configuration.map(() => "other"), ...source.map(() => "source")]);
  expect(
    ["tests/a.js", "web/fixtures/a.json", "src/package.json", "scripts/run-tests.sh"].map((path) =>
      kindOf(path, rules),
    ),
  ).toEqual(["test", "fixture", "source", "other"]);
  expect(["src/a.ts", "web/a.ts", "src/tests/a.ts"].map((path) => isInSource(path, rules))).toEqual([
    true,
    false,
    true,
  ]);
  expect(isInSource("tests/a.js", { ...rules, source: ["tests/"] })).toBe(false);
});
