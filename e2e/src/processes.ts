import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

/** The repository's top folder. */
export const ROOT: string = path.resolve(import.meta.dirname, '../..');

/** A program of ours, running. */
export interface Program {
  process: ChildProcess;
  /** What it said by IPC when it was ready. */
  ready: Promise<{ url?: string }>;
  /** Kills it as the kernel would: nothing of it runs any more. */
  kill(): Promise<void>;
  /** Asks it to stop and waits. */
  stop(): Promise<void>;
}

/**
 * Starts a source file with Node.
 * @param log file that takes what it prints
 */
export function startProgram(file: string, args: string[], env: NodeJS.ProcessEnv, log: string): Program {
  const out = openSync(log, 'a');
  const child = spawn(process.execPath, ['--conditions=source', path.join(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', out, out, 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = new Promise<{ url?: string }>((resolve, reject) => {
    child.on('message', (message) => {
      const said = message as { type?: string; url?: string }; // our own programs' one message
      if (said.type === 'ready') resolve(said);
    });
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}; see ${log}`)));
  });
  ready.catch(() => undefined);
  return {
    process: child,
    ready,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The environment without what would configure Sluice: a developer's own settings must not reach the tests. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const own = /^(SLUICE_|REDIS_URL$|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** Every process below one, children first named, as the kernel lists them now. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const found: number[] = [];
  const below = (parent: number): void => {
    for (const [child, itsParent] of parents) {
      if (itsParent !== parent) continue;
      found.push(child);
      below(child);
    }
  };
  below(pid);
  return found;
}

/** A port that was free a moment ago, so that a restarted program can have it again. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}
