import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until no other process installs into this checkout, then keeps others from it. The lock of a process that
 * is gone is taken over.
 *
 * @param {string} root
 * @param {(pid: number) => void} onWait told once, whom we wait for
 * @returns {Promise<() => void>} releases the lock
 */
export async function takeInstallLock(root, onWait) {
  // Outside node_modules, which `npm ci` deletes.
  const file = join(root, '.sluice/install.lock');
  const draft = `${file}.${process.pid}`;
  mkdirSync(join(root, '.sluice'), { recursive: true, mode: 0o700 });
  let told = false;
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
    const holder = readHolder(file);
    if (holder !== undefined && isRunning(holder)) {
      if (!told) onWait(holder);
      told = true;
      await sleep(200);
    } else {
      dropStale(file, holder);
    }
  }
}

function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Moves a stale lock away; one that a rival has just taken anew is put back. */
function dropStale(file, holder) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readHolder(aside) !== holder) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch {
    // Somebody else was quicker; the next round shows.
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
