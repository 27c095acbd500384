import { readFileSync } from 'node:fs';

const POLL_MS = 100;

/**
 * Calls back once when the npm that runs this script is gone. npm forwards a signal to `sh` alone, `sh` does not
 * forward it at all, and neither can when it is killed: so both are watched. Without npm nobody is watched, and a
 * process started in the background of a shell outlives it.
 *
 * @param {() => void} onGone
 */
export function watchLaunchers(onGone) {
  if (!process.env.npm_lifecycle_event) return;
  const launchers = [process.ppid];
  const parent = readProcess(process.ppid);
  // Where the shell replaces itself by us, our parent is npm itself and its parent is none of our business.
  if (parent && /^(?:ba|da|z|k|a)?sh$/.test(parent.name)) launchers.push(parent.parentPid);
  const births = launchers.map((pid) => readProcess(pid)?.begun);
  const timer = setInterval(() => {
    const gone = process.ppid !== launchers[0] || launchers.some((pid, index) => !isSame(pid, births[index]));
    if (!gone) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
}

function isSame(pid, begun) {
  // Without /proc a change of our parent has to do.
  return begun === undefined || readProcess(pid)?.begun === begun;
}

/** What /proc tells about a living process; undefined when it is gone, a zombie, or there is no /proc. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold spaces.
    const nameEnd = stat.lastIndexOf(')');
    const [state, parentPid, ...rest] = stat.slice(nameEnd + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return { name: stat.slice(stat.indexOf('(') + 1, nameEnd), parentPid: Number(parentPid), begun: rest[17] };
  } catch {
    return undefined;
  }
}
