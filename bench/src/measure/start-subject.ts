import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchResponse, BenchRequest } from '../subjects/requests.ts';
import type { Usage } from '../subjects/usage-probe.ts';
import { pinned } from './pin.ts';

/** A measured process, or a process that a measurement needs. */
export interface Subject {
  /** The process's URL if it serves HTTP, otherwise empty. */
  url: string;
  /** Calls a handler. The result's type is not checked. @throws if the handler fails or does not respond in a minute */
  call<T>(request: string, argument?: unknown): Promise<T>;
  usage(): Promise<Usage>;
  /** Returns the CPU time that the process uses while `work` runs, in microseconds. */
  cpuDuring(work: () => Promise<unknown>): Promise<number>;
  /** Requests a stop and waits. If the process does not stop, it is killed. */
  stop(): Promise<void>;
}

export interface SubjectOptions {
  program: URL;
  env: NodeJS.ProcessEnv;
  /** Folder for a CPU profile, which is written at exit. */
  profileDir?: string | undefined;
  /** Runs the process on this core only. */
  core?: number;
}

const READY_MS = 30_000;
const RESPONSE_MS = 60_000;
const STOP_MS = 20_000;
const PROBE = new URL('../subjects/usage-probe.ts', import.meta.url);

interface ServerSettings {
  SERVER_FLAGS: string[];
  SERVER_MEMORY: NodeJS.ProcessEnv;
}

/** The built servers apply these settings themselves, but not with an IPC channel, which they would lose. */
async function serverSettings(): Promise<ServerSettings> {
  const { href } = new URL('../../../scripts/lib/server-flags.mjs', import.meta.url);
  return (await import(href)) as ServerSettings; // The cast is needed because the module has no types.
}

/** Starts a program in its own process and waits until it is ready. @throws if it does not become ready */
export async function startSubject({ program, env, profileDir, core }: SubjectOptions): Promise<Subject> {
  const profile = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const { SERVER_FLAGS: flags, SERVER_MEMORY: memory } = await serverSettings();
  const isSource = program.pathname.endsWith('.ts');
  const [command, args] = pinned(core, process.execPath, [
    ...(isSource ? ['--conditions=source'] : flags),
    '--disable-warning=ExperimentalWarning',
    ...profile,
    '--import',
    PROBE.href,
    program.pathname,
  ]);
  // The process formats and writes log lines as in production, but they are discarded.
  const child = spawn(command, args, {
    env: isSource ? env : { ...memory, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    readyOf(child),
    ended.then(() => Promise.reject(new Error(`${program.pathname} exited during startup`))),
    sleep(READY_MS, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`${program.pathname} is not ready`)),
    ),
  ]);

  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let questions = 0;
  child.on('message', (message: Partial<BenchResponse>) => {
    const waiting = message.responseTo === undefined ? undefined : open.get(message.responseTo);
    if (!waiting) return;
    if (message.failure === undefined) waiting.resolve(message.value);
    else waiting.reject(new Error(message.failure));
  });

  async function call<T>(request: string, argument?: unknown): Promise<T> {
    const id = ++questions;
    const waiting = Promise.withResolvers<unknown>();
    open.set(id, waiting);
    child.send({ call: request, id, argument } satisfies BenchRequest);
    const timer = setTimeout(() => waiting.reject(new Error(`no response to ${request}`)), RESPONSE_MS);
    try {
      return (await waiting.promise) as T; // The cast is unchecked; the caller knows the type of the result.
    } finally {
      clearTimeout(timer);
      open.delete(id);
    }
  }

  const usage = () => call<Usage>('usage');
  return {
    url,
    call,
    usage,
    async cpuDuring(work) {
      const before = await usage();
      await work();
      const after = await usage();
      return after.cpuUs - before.cpuUs;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function readyOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type === 'ready') resolve(message.url ?? '');
    });
  });
}
