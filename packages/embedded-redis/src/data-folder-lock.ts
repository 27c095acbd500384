import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another running process has locked the data folder. */
export class DataFolderLockedError extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `Another Sluice (process ${pid}) is running on ${dataDir}. Stop it, or set SLUICE_DATA_DIR to another folder.`,
    );
    this.name = 'DataFolderLockedError';
  }
}

interface LockRecord {
  pid: number;
  /** Boot id and start time of the process. Empty if they are unknown. */
  begun: string;
  socketPath: string;
}

export interface DataFolderLock {
  /** Socket path of a previous owner that exited without releasing its lock. */
  staleSocketPath: string | undefined;
  release(): Promise<void>;
}

/**
 * Locks a data folder, so that no second gateway can use it. Takes over the lock of a process that has exited, even if
 * its process id was reused. @throws {DataFolderLockedError} while the owner is running
 */
export async function lockDataFolder(dataDir: string, socketPath: string): Promise<DataFolderLock> {
  const file = join(dataDir, 'lock');
  const record: LockRecord = { pid: process.pid, begun: await processStart(process.pid), socketPath };
  const id = randomUUID();
  const text = JSON.stringify({ ...record, id });
  const draft = `${file}.${id}`;
  await writeFile(draft, text, { mode: 0o600 });
  let staleSocketPath: string | undefined;
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      if (await publishLock(draft, file)) {
        return { staleSocketPath, release: () => release(file, text) };
      }
      const current = await readFile(file, 'utf8').catch(() => undefined);
      if (current === undefined) continue;
      const owner = parseRecord(current);
      if (owner && (await isAlive(owner))) throw new DataFolderLockedError(dataDir, owner.pid);
      staleSocketPath = owner?.socketPath;
      await removeStaleLock(file, current);
    }
    throw new Error(`could not lock ${dataDir}`);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Checks that no other gateway uses a data folder. Startup calls it before any slow step.
 * @throws {DataFolderLockedError} if another gateway uses the folder
 */
export async function checkDataFolderLock(dataDir: string): Promise<void> {
  const owner = parseRecord(await readFile(join(dataDir, 'lock'), 'utf8').catch(() => ''));
  if (owner && (await isAlive(owner))) throw new DataFolderLockedError(dataDir, owner.pid);
}

/** Returns the socket of the Redis that uses a data folder; undefined if none runs or if it runs in a container. */
export async function findRunningSocket(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'lock'), 'utf8').catch(() => '');
  const owner = parseRecord(text);
  return owner && (await isAlive(owner)) ? owner.socketPath : undefined;
}

/** Publishes the complete lock file atomically, as a hard link. Returns false if the lock file already exists. */
async function publishLock(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale lock. If a competing process has just replaced it with a new lock, restores the new lock. */
async function removeStaleLock(file: string, stale: string): Promise<void> {
  const moved = `${file}.${randomUUID()}`;
  try {
    await rename(file, moved);
  } catch {
    return;
  }
  if ((await readFile(moved, 'utf8')) !== stale) await publishLock(moved, file);
  await rm(moved, { force: true });
}

async function release(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
}

function parseRecord(text: string): LockRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('pid' in value) || !('begun' in value) || !('socketPath' in value)) return undefined;
    const { pid, begun, socketPath } = value;
    if (typeof pid !== 'number' || typeof begun !== 'string' || typeof socketPath !== 'string') return undefined;
    return { pid, begun, socketPath };
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, begun }: LockRecord): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = await processStart(pid);
  return begun === '' || now === '' ? true : now === begun;
}

/** Returns the boot id and start time of a Linux process, which are unique together. Returns '' on other systems. */
async function processStart(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    // The process name in parentheses may contain spaces. The start time is field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie process is treated as ended.
    return fields[0] === 'Z' ? 'ended' : `${boot.trim()}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
