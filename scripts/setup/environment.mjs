// `npm run` hands down its own state as variables. A test must behave the same with and without npm around it,
// and an inner npm must obey its own arguments: what is kept is only how a registry is reached.
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
