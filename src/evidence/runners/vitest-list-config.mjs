/** vitest's config for listing test files when the project has none: vitest's default patterns, and nothing of the project. */
export default { css: { postcss: {} }, envDir: false };
