/** The name of a repository that all its clones have, from the URL of their common remote (SCL-01). */

const usualPorts: Readonly<Record<string, string>> = {
  "ssh:": "22",
  "git+ssh:": "22",
  "ssh+git:": "22",
  "git:": "9418",
  "https:": "443",
  "http:": "80",
};

/**
 * `host/path`, the same for ssh, git and https: without user and `.git`, with the port if it is not the usual one.
 * @returns null for what other hosts do not reach: a path, file://
 */
export function sharedName(remote: string): string | null {
  const url = remote.includes("://") ? remote : fromScp(remote);
  if (url === null || !URL.canParse(url) || /[\0-\x20]/u.test(url)) return null;
  const { protocol, hostname, port, pathname } = new URL(url);
  const usual = usualPorts[protocol];
  const path = pathname
    .split("/")
    .filter((part) => part !== "")
    .join("/")
    .replace(/\.git$/u, "");
  if (usual === undefined || hostname === "" || path === "") return null;
  return `${hostname.toLowerCase()}${port === "" || port === usual ? "" : `:${port}`}/${path}`;
}

/** `git@host:path`; a single letter is a drive of Windows. */
function fromScp(remote: string): string | null {
  const [, host, path] = /^(?:[^/:@]+@)?(\[[^\]/]+\]|[^/:@]{2,}):(?!:)(.+)$/u.exec(remote) ?? [];
  return host === undefined || path === undefined ? null : `ssh://${host}/${path}`;
}
