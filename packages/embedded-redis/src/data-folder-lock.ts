import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Another living process holds the data folder. */
export class DataFolderLockedError extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `Another Sluice (process ${pid}) is running on ${dataDir}. Stop it, or give this one a folder of its own: SLUICE_DATA_DIR=…`,
    );
    this.name = 'DataFolderLockedError';
  }
}

/** What stands in a lock file. */
interface LockRecord {
  pid: number;
  /** When the process began, as the kernel tells it; empty where it cannot be told. */
  begun: string;
  /** Where the holder's Redis listens. */
  socketPath: string;
}

/** A held lock. */
export interface DataFolderLock {
  /** Socket of the last holder, if it went away without releasing. */
  staleSocketPath: string | undefined;
  release(): Promise<void>;
}

/**
 * Locks a data folder against a second gateway. A lock whose process is gone is taken over; a process number that
 * now belongs to another process counts as gone.
 *
 * @throws {DataFolderLockedError} while its holder lives.
 */
export async function lockDataFolder(dataDir: string, socketPath: string): Promise<DataFolderLock> {
  const file = join(dataDir, 'lock');
  const mine: LockRecord = { pid: process.pid, begun: await processBegun(process.pid), socketPath };
  const id = randomUUID();
  const text = JSON.stringify({ ...mine, id });
  const draft = `${file}.${id}`;
  await writeFile(draft, text, { mode: 0o600 });
  let staleSocketPath: string | undefined;
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      if (await linked(draft, file)) {
        return { staleSocketPath, release: () => release(file, text) };
      }
      const found = await readFile(file, 'utf8').catch(() => undefined);
      if (found === undefined) continue;
      const holder = parseRecord(found);
      if (holder && (await isAlive(holder))) throw new DataFolderLockedError(dataDir, holder.pid);
      staleSocketPath = holder?.socketPath;
      await setAside(file, found);
    }
    throw new Error(`could not lock ${dataDir}`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The socket of the Redis that runs on a data folder; undefined when none does. One in a container has no socket there. */
export async function findRunningSocket(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'lock'), 'utf8').catch(() => '');
  const holder = parseRecord(text);
  return holder && (await isAlive(holder)) ? holder.socketPath : undefined;
}

/** A link is made with its content in one step, and only when the name is free. */
async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a stale lock away; one that a rival has just taken anew is put back. */
async function setAside(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== stale) await linked(aside, file);
  await rm(aside, { force: true });
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
  const now = await processBegun(pid);
  return begun === '' || now === '' ? true : now === begun;
}

/** Boot id and start time of a process on Linux: together they never come twice. Empty elsewhere. */
async function processBegun(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    // The name in parentheses may hold spaces; field 22 is counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not looked yet.
    return fields[0] === 'Z' ? 'ended' : `${boot.trim()}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
