/** The config that vitest gets when a project needs none of its own: what runs is decided by the files on the command line. */
export default { test: { include: ["**/*.?(c|m)[jt]s?(x)"], exclude: ["**/node_modules/**", "**/.git/**"] } };
