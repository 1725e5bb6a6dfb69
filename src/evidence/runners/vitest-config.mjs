/**
 * The config that vitest gets when a project needs none of its own: what runs is decided by the files on the command line.
 * Without `css.postcss` and `envDir` vite would load a config and variables of the project all the same.
 */
export default {
  test: { include: ["**/*.?(c|m)[jt]s?(x)"], exclude: ["**/node_modules/**", "**/.git/**"] },
  css: { postcss: {} },
  envDir: false,
};
