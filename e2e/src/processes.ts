import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

/** The repository's top folder. */
export const ROOT: string = path.resolve(import.meta.dirname, '../..');

/** A program of ours, running. */
export interface Program {
  process: ChildProcess;
  /** Its IPC message when it was ready. */
  ready: Promise<{ url?: string }>;
  /** Kills the process as the kernel would. */
  kill(): Promise<void>;
  /** Sends a stop request and waits. */
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

/** Ports below those that systems give to outgoing connections (Linux from 32768, macOS and Windows from 49152). */
const LISTENING = { from: 12_000, to: 32_000 };

/**
 * A port that was free a moment ago, so that a restarted program can have it again: nothing that connects takes it
 * meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LISTENING.from, LISTENING.to);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
