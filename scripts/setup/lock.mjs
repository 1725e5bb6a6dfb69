// One installer or builder at a time: a lock file that names its process. The lock of a dead process is taken over.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Runs `work` under the lock; a second process waits at most `waitMs`, then gives up with an error.
 * @param {string} file
 * @param {{waitMs: number, onWait?: (pid: number) => void}} options
 * @param {() => Promise<T>} work
 * @template T
 */
export async function withLock(file, { waitMs, onWait }, work) {
  await take(file, waitMs, onWait);
  const give = () => rmSync(file, { force: true });
  process.once("exit", give);
  try {
    return await work();
  } finally {
    process.off("exit", give);
    give();
  }
}

async function take(file, waitMs, onWait) {
  mkdirSync(dirname(file), { recursive: true });
  const until = Date.now() + waitMs;
  const mine = `${process.pid} ${started(process.pid)}\n`;
  let isReported = false;
  for (;;) {
    if (create(file, mine)) return;
    const theirs = read(file);
    if (theirs === null) continue;
    const [pid, since] = theirs.trim().split(" ");
    if (!isHeld(Number(pid), since)) {
      removeStale(file, theirs);
      continue;
    }
    if (Date.now() > until) {
      const message = `process ${pid} has held ${file} for more than ${Math.round(waitMs / 1000)} s`;
      throw Object.assign(new Error(message), { code: "LOCKED" });
    }
    if (!isReported) onWait?.(Number(pid));
    isReported = true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Creates the lock by a link, so that no process reads an incomplete lock. */
function create(file, text) {
  const aside = `${file}.new-${process.pid}`;
  writeFileSync(aside, text);
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Removes the lock by a rename, which only one process can win; a new lock that was renamed by mistake is restored. */
function removeStale(file, expected) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  try {
    if (read(aside) !== expected) linkSync(aside, file);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function isHeld(pid, since) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
  return started(pid) === since;
}

/** Start time in clock ticks, to detect a reused process id; a zombie has none. */
function started(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" ? "gone" : fields[19];
  } catch {
    return "unknown"; // macOS has no /proc: only the process id counts there.
  }
}
