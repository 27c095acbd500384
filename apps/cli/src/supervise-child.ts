import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program of ours that runs as long as the gateway does. */
export interface ChildSpec {
  /** What people call it, such as `worker`. */
  name: string;
  /** Its source file. */
  program: string;
  env: NodeJS.ProcessEnv;
}

/** What the supervision of a child is told and tells. */
export interface SupervisionOptions {
  /** Waits before the first, second, … start after a death, in milliseconds; the last one is repeated. */
  backOffMs: readonly number[];
  /** A child that lived this long is started again at the first wait. */
  steadyMs: number;
  /** Told one line for people. */
  onLine: (line: string) => void;
}

/** A child under supervision. */
export interface SupervisedChild {
  /**
   * Resolves with the URL that the child told, if any, when it is ready for the first time.
   * @rejects {ChildStartError} when it ends before that; it is not started again then.
   */
  ready: Promise<string | undefined>;
  /** Asks it to stop, kills it when it is still there after `graceMs`, and resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
  /** Kills it at once. */
  kill(): void;
}

/** A child ended before it was ready. */
export class ChildStartError extends Error {
  /** Whether it ended by itself; it has then said why on its standard error. */
  readonly hasSpoken: boolean;

  constructor(name: string, how: string, hasSpoken: boolean) {
    super(`the ${name} did not start (${how})`);
    this.name = 'ChildStartError';
    this.hasSpoken = hasSpoken;
  }
}

/**
 * Starts a child and keeps it running. It has a session of its own, so that a terminal's Ctrl-C and hang-up reach
 * us alone, and an `ipc` channel: it says `{ type: 'ready', url? }` there, and stops when the channel closes, which
 * it does by itself when we are killed.
 */
export function superviseChild(spec: ChildSpec, options: SupervisionOptions): SupervisedChild {
  const { promise: ready, resolve, reject } = Promise.withResolvers<string | undefined>();
  // Whoever waits for another child first must not make this rejection an unhandled one.
  ready.catch(() => undefined);
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wasReady = false;
  let stopping = false;
  let deaths = 0;

  const start = () => {
    const begun = performance.now();
    const running = spawn(process.execPath, [...process.execArgv, spec.program], {
      env: spec.env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = running;
    running.on('message', (message) => {
      if (!isReady(message)) return;
      wasReady = true;
      resolve(message.url);
    });
    const ended = (how: string, hasSpoken = false) => {
      if (child !== running) return;
      child = undefined;
      if (stopping) return;
      if (!wasReady) {
        reject(new ChildStartError(spec.name, how, hasSpoken));
        return;
      }
      if (performance.now() - begun >= options.steadyMs) deaths = 0;
      const wait = options.backOffMs[Math.min(deaths, options.backOffMs.length - 1)] ?? 0;
      deaths += 1;
      options.onLine(`The ${spec.name} ended (${how}); starting it again in ${wait} ms.`);
      timer = setTimeout(start, wait);
    };
    running.once('error', (error) => ended(error.message));
    running.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`, code === 1));
  };
  start();

  return {
    ready,
    stop: async (graceMs) => {
      stopping = true;
      clearTimeout(timer);
      const running = child;
      if (!running) return;
      const killTimer = setTimeout(() => running.kill('SIGKILL'), graceMs);
      running.kill('SIGTERM');
      if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
      clearTimeout(killTimer);
    },
    kill: () => {
      stopping = true;
      clearTimeout(timer);
      child?.kill('SIGKILL');
    },
  };
}

function isReady(message: unknown): message is { type: 'ready'; url?: string } {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}
