import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Acquires the checkout's install lock, and returns its release function. Takes over the lock of a process that has
 * exited.
 * @param {(pid: number) => void} onWait called once with the process that has the lock
 */
export async function takeInstallLock(root, onWait) {
  // Outside node_modules, which `npm ci` deletes.
  const file = join(root, '.sluice/install.lock');
  const draft = `${file}.${process.pid}`;
  mkdirSync(join(root, '.sluice'), { recursive: true, mode: 0o700 });
  let isReported = false;
  for (;;) {
    writeFileSync(draft, String(process.pid));
    try {
      linkSync(draft, file);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const owner = readOwner(file);
    if (owner !== undefined && isRunning(owner)) {
      if (!isReported) onWait(owner);
      isReported = true;
      await sleep(200);
    } else {
      dropStale(file, owner);
    }
  }
}

function readOwner(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Moves a stale lock away. Restores a lock that a competing process has just acquired. */
function dropStale(file, owner) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readOwner(aside) !== owner) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch {
    // Another process was faster; the next iteration checks again.
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
