/** The config with which vitest is asked for its test files where a project has none: its own names of tests, and nothing of the project's. */
export default { css: { postcss: {} }, envDir: false };
