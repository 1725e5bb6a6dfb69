/** Tells configuration from source by the name: of runners, builds, packages, services and agents (SEE-10). Pure. */

/** Names of files that decide whether tests pass, in any folder (CORE-27). */
const decisive: readonly RegExp[] = [
  /^(vitest|jest|vite|babel|playwright|mocha|karma|ava|stryker)\.(config|workspace|setup|projects)\b.*/,
  /^(setup-?tests?|test-?setup)\.[cm]?[jt]sx?$/i,
  /^\.mocharc\b.*/,
  /^tsconfig\b.*\.json$/,
  /^(conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|go\.mod|go\.sum|Cargo\.toml|Cargo\.lock)$/,
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|pnpm-workspace\.yaml)$/,
  /^(package\.json|mettle\.yaml|\.npmrc|\.swcrc|bunfig\.toml)$/,
  /^(\.?pytest\.(ini|toml)|go\.work(\.sum)?|rust-toolchain(\.toml)?|Pipfile(\.lock)?|(poetry|uv)\.lock)$/,
  /^\.env(\..*)?$/,
  /^\.babelrc\b.*/,
];

/** Other names of configuration. */
const usual: readonly RegExp[] = [
  /\.(config|conf)\.([cm]?[jt]sx?|json|ya?ml)$/i,
  /^(requirements|constraints)\b.*\.(txt|in)$/i,
  /^(setup|noxfile|versioneer|sitecustomize|usercustomize)\.py$/,
  /\.(pth|egg-link|csproj|sln|gemspec|cabal)$/,
  /^(GNUmakefile|makefile|Makefile|justfile|Justfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile)$/,
  /^(Dockerfile|Containerfile)\b.*|^(docker-)?compose\b.*\.ya?ml$/,
  /^(Gruntfile|gulpfile|Gulpfile|Jakefile)\b.*/,
  /^(CMakeLists\.txt|build\.rs|pom\.xml|phpunit\.xml(\.dist)?|Gemfile(\.lock)?|composer\.(json|lock)|deno\.jsonc?)$/,
  /^(build|settings)\.gradle(\.kts)?$|^gradle\.properties$/,
  /^(AGENTS|CLAUDE|GEMINI)\.md$/,
];

/** Folders of dependencies, of mocks that runners find by their place, and of the memory bank. */
const folders = /(^|\/)(node_modules|site-packages|vendor|__mocks__)\/|^memory-bank\//;

/** Whether a file with this name decides whether tests pass. */
export function decidesTests(path: string): boolean {
  return decisive.some((pattern) => pattern.test(nameOf(path)));
}

/** @param path relative to the repository; a name or folder that begins with a dot is configuration */
export function isConfiguration(path: string): boolean {
  return (
    /(^|\/)\./.test(path) ||
    folders.test(path) ||
    decidesTests(path) ||
    /^(tasks|fabfile)\.py$|(^|\/)requirements\/[^/]+\.(txt|in)$/.test(path) ||
    usual.some((pattern) => pattern.test(nameOf(path)))
  );
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}
