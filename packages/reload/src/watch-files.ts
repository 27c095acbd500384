import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface WatchFilesOptions {
  /** The files, which may not exist. Read again at each check. */
  files: () => readonly string[];
  /** Called once, after the contents were read the first time. Changes from then on are reported. */
  onFirst: () => void;
  /** Called after the contents have changed and are stable. */
  onChange: () => void;
  /** Interval of the checks that need no event, in milliseconds. */
  pollMs?: number;
  /** The contents must be equal for this time, because an editor may still write. */
  settleMs?: number;
}

export interface WatchedFiles {
  close(): void;
}

const POLL_MS = 2_000;
const SETTLE_MS = 100;

/**
 * Watches the contents of files. Folders report events quickly, also if an editor replaces the file or Kubernetes
 * replaces the link to a mounted volume. Network file systems report none, so the contents are also read at intervals.
 * Only a hash decides, because many events change nothing.
 */
export function watchFiles(options: WatchFilesOptions): WatchedFiles {
  const { files, onFirst, onChange, pollMs = POLL_MS, settleMs = SETTLE_MS } = options;
  const watchers = new Map<string, FSWatcher>();
  let known: string | undefined;
  let changing: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  let isClosed = false;

  function schedule(delayMs: number): void {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void check(), delayMs).unref();
  }

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    const watched = files();
    watchFolders(new Set(watched.map((file) => path.dirname(file))));
    const contents = await hashOf(watched);
    isChecking = false;
    if (isClosed) return;
    if (known === undefined) {
      known = contents;
      onFirst();
    }
    const isStable = contents === changing;
    changing = contents === known ? undefined : contents;
    if (changing !== undefined && isStable) {
      known = contents;
      changing = undefined;
      onChange();
    }
    schedule(changing === undefined ? pollMs : settleMs);
  }

  function watchFolders(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of folders) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, () => {
          if (!isChecking && changing === undefined) schedule(settleMs);
        });
        watcher.on('error', () => watchers.delete(folder));
        watchers.set(folder, watcher);
      } catch {
        // The folder does not exist, or the system has no watches left. The interval remains.
      }
    }
  }

  void check();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

async function hashOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    const contents = await readFile(file).catch(() => undefined);
    hash.update(`${file}\n${contents?.byteLength ?? 'absent'}\n`).update(contents ?? '');
  }
  return hash.digest('hex');
}
