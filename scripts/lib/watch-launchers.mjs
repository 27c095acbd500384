import { readFileSync } from 'node:fs';

const POLL_MS = 100;

/**
 * Calls back once when the npm that runs this script has exited. npm forwards signals only to `sh`, which does not
 * forward them, and neither of them can forward SIGKILL. The exits of both processes are therefore detected. Without
 * npm, nothing is watched, because a background process must outlive its shell.
 */
export function watchLaunchers(onExit) {
  if (!process.env.npm_lifecycle_event) return;
  const launchers = [process.ppid];
  const parent = readProcess(process.ppid);
  // If the shell has replaced itself with this process, the parent is npm.
  if (parent && /^(?:ba|da|z|k|a)?sh$/.test(parent.name)) launchers.push(parent.parentPid);
  const startTimes = launchers.map((pid) => readProcess(pid)?.startTime);
  const timer = setInterval(() => {
    const hasExited = process.ppid !== launchers[0] || launchers.some((pid, index) => !isSame(pid, startTimes[index]));
    if (!hasExited) return;
    clearInterval(timer);
    onExit();
  }, POLL_MS);
  timer.unref();
}

function isSame(pid, startTime) {
  // Without /proc, compare the id of the parent process.
  return startTime === undefined || readProcess(pid)?.startTime === startTime;
}

/** Returns a live process's data from /proc; undefined if it has exited, is a zombie, or there is no /proc. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain spaces.
    const nameEnd = stat.lastIndexOf(')');
    const [state, parentPid, ...rest] = stat.slice(nameEnd + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { name: stat.slice(stat.indexOf('(') + 1, nameEnd), parentPid: Number(parentPid), startTime: rest[17] };
  } catch {
    return undefined;
  }
}
