/**
 * vitest's config when the project needs none: the files on the command line select the tests. Without `css.postcss` and
 * `envDir` vite would still load a config and variables of the project.
 */
export default {
  test: { include: ["**/*.?(c|m)[jt]s?(x)"], exclude: ["**/node_modules/**", "**/.git/**"] },
  css: { postcss: {} },
  envDir: false,
};
