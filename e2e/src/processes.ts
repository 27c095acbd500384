import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT: string = path.resolve(import.meta.dirname, '../..');

/** A running program of this repository. */
export interface Program {
  process: ChildProcess;
  /** Resolves with the IPC message that reports readiness. */
  ready: Promise<{ url?: string }>;
  /** Calls `listener` with every IPC message, including those received before this call. */
  onMessage(listener: (message: unknown) => void): void;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
}

/** @param log log file for the program's output */
export function startProgram(file: string, args: string[], env: NodeJS.ProcessEnv, log: string): Program {
  const out = openSync(log, 'a');
  const child = spawn(process.execPath, ['--conditions=source', path.resolve(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', out, out, 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const received: unknown[] = [];
  child.on('message', (message) => received.push(message));
  const ready = new Promise<{ url?: string }>((resolve, reject) => {
    child.on('message', (message) => {
      // The cast is safe because the programs send only this message.
      const report = message as { type?: string; url?: string };
      if (report.type === 'ready') resolve(report);
    });
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}; see ${log}`)));
  });
  ready.catch(() => undefined);
  return {
    process: child,
    ready,
    onMessage(listener) {
      for (const message of received) listener(message);
      child.on('message', listener);
    },
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

/** Returns the environment without the developer's settings of Sluice and OpenTelemetry. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const own = /^(SLUICE_|OTEL_|REDIS_URL$|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** Returns the process ids of all descendants, parents first. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has ended since the ids were listed.
    }
  }
  const ids: number[] = [];
  const collect = (parent: number): void => {
    for (const [child, itsParent] of parents) {
      if (itsParent !== parent) continue;
      ids.push(child);
      collect(child);
    }
  };
  collect(pid);
  return ids;
}

/** Returns the resident memory of a process, in bytes. */
export function residentBytes(pid = 0): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
