import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Acquires the checkout's install lock and returns a function that releases it. Takes over a lock whose process has
 * exited.
 * @throws {Error} if the checkout is not writable
 * @param {(pid: number) => void} onWait called once, with the id of the process that has the lock
 */
export async function acquireInstallLock(root, onWait) {
  // The lock is not in node_modules, because `npm ci` deletes that folder.
  const file = join(root, '.sluice/install.lock');
  const draft = `${file}.${process.pid}`;
  let isReported = false;
  for (;;) {
    writeDraft(root, draft);
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

function writeDraft(root, draft) {
  try {
    mkdirSync(join(root, '.sluice'), { recursive: true, mode: 0o700 });
    writeFileSync(draft, String(process.pid), { mode: 0o600 });
  } catch (error) {
    throw new Error(
      `Cannot write to ${root} (${error.code}), where the dependencies must be installed. Make it writable, or use a copy of the checkout.`,
      { cause: error },
    );
  }
}

function readOwner(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Removes a stale lock by renaming it. If a competing process has just acquired the lock, restores that lock. */
function dropStale(file, owner) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readOwner(aside) !== owner) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch {
    // Another process acquired the lock first. The next iteration checks again.
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
