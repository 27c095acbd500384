import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A program that runs as long as its launcher does. */
export interface ChildSpec {
  /** The name shown to the user (e.g. `worker`). */
  name: string;
  /** Starts the program with an `ipc` channel. */
  spawn: () => ChildProcess;
  /** Requests a stop. By default, sends SIGTERM. */
  requestStop?: (child: ChildProcess) => void;
}

/** The waits of the gateway's programs. */
export const RESTART_WAITS = { backOffMs: [200, 500, 1_000, 2_000, 5_000], steadyMs: 30_000 } as const;

export interface SupervisionOptions {
  /** Milliseconds to wait before the first, second, and further restarts. The last value repeats. */
  backOffMs: readonly number[];
  /** The wait is reset after this uptime in milliseconds. */
  steadyMs: number;
  /** Receives each line of text to show to the user. */
  onLine: (line: string) => void;
}

export interface SupervisedChild {
  /**
   * Resolves when the child is ready for the first time, with its URL if it has one.
   * @rejects {ChildStartError} if the child exits earlier; it is not restarted in this case
   */
  ready: Promise<string | undefined>;
  /** Requests a stop and kills the child after `graceMs`. Resolves when it has exited. */
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

/** A child exited before it was ready. */
export class ChildStartError extends Error {
  /** Whether the child exited on its own, with a message on standard error. */
  readonly hasReported: boolean;

  constructor(name: string, how: string, hasReported: boolean) {
    super(`The ${name} did not start (${how}).`);
    this.name = 'ChildStartError';
    this.hasReported = hasReported;
  }
}

/**
 * Starts a child and restarts it when it dies. The child sends `{ type: 'ready', url? }` on its `ipc` channel. It stops
 * when the channel closes, which also happens when this process is killed.
 */
export function superviseChild(spec: ChildSpec, options: SupervisionOptions): SupervisedChild {
  const { promise: ready, resolve, reject } = Promise.withResolvers<string | undefined>();
  // The caller may await another child first, which must not cause an unhandled rejection.
  ready.catch(() => undefined);
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wasReady = false;
  let stopping = false;
  let deaths = 0;

  const start = () => {
    const begun = performance.now();
    const running = spec.spawn();
    child = running;
    running.on('message', (message) => {
      if (!isReady(message)) return;
      wasReady = true;
      resolve(message.url);
    });
    const ended = (how: string, hasReported = false) => {
      if (child !== running) return;
      child = undefined;
      if (stopping) return;
      if (!wasReady) {
        reject(new ChildStartError(spec.name, how, hasReported));
        return;
      }
      if (performance.now() - begun >= options.steadyMs) deaths = 0;
      const wait = options.backOffMs[Math.min(deaths, options.backOffMs.length - 1)] ?? 0;
      deaths += 1;
      options.onLine(`The ${spec.name} exited (${how}). Restarting it in ${wait} ms.`);
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
      if (spec.requestStop) spec.requestStop(running);
      else running.kill('SIGTERM');
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
