import { readFileSync } from 'node:fs';

const POLL_MS = 100;

/**
 * Calls back once when the npm that runs this script has exited. npm forwards a signal only to `sh`, which does not
 * forward it, and neither can forward SIGKILL, so both are watched. Without npm nothing is watched, because a process
 * in the background of a shell outlives the shell.
 */
export function watchLaunchers(onExit) {
  if (!process.env.npm_lifecycle_event) return;
  const launchers = [process.ppid];
  const parent = readProcess(process.ppid);
  // If the shell replaced itself with this process, the parent is npm itself.
  if (parent && /^(?:ba|da|z|k|a)?sh$/.test(parent.name)) launchers.push(parent.parentPid);
  const births = launchers.map((pid) => readProcess(pid)?.begun);
  const timer = setInterval(() => {
    const hasExited = process.ppid !== launchers[0] || launchers.some((pid, index) => !isSame(pid, births[index]));
    if (!hasExited) return;
    clearInterval(timer);
    onExit();
  }, POLL_MS);
  timer.unref();
}

function isSame(pid, begun) {
  // Without /proc, compare the parent's process id.
  return begun === undefined || readProcess(pid)?.begun === begun;
}

/** A live process according to /proc; undefined if it has exited, is a zombie, or there is no /proc. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain spaces.
    const nameEnd = stat.lastIndexOf(')');
    const [state, parentPid, ...rest] = stat.slice(nameEnd + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { name: stat.slice(stat.indexOf('(') + 1, nameEnd), parentPid: Number(parentPid), begun: rest[17] };
  } catch {
    return undefined;
  }
}
