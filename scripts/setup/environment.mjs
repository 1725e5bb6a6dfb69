// `npm run` sets variables of its own. A test must behave the same with and without npm, and an inner npm must use its own
// arguments, so only the variables that configure the access to a registry are kept.
import { delimiter, sep } from "node:path";

const reach =
  /^npm_config_(registry|cache|proxy|https?_proxy|no_?proxy|ca|cafile|strict_ssl|userconfig|globalconfig|\/\/.*|@.*)$/i;

export function cleanEnvironment(from = process.env) {
  const kept = Object.entries(from).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name) || reach.test(name));
  const env = Object.fromEntries(kept);
  if (env.PATH !== undefined)
    env.PATH = env.PATH.split(delimiter)
      .filter((folder) => !madeByNpm(folder))
      .join(delimiter);
  return env;
}

function madeByNpm(folder) {
  return folder.endsWith(`node_modules${sep}.bin`) || folder.endsWith(`${sep}node-gyp-bin`);
}
