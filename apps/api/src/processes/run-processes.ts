import cluster, { type Worker } from 'node:cluster';
import { RESTART_WAITS, type StopSignal, type SupervisedChild, superviseChild } from '@sluice/lifecycle';
import { type Logger, processLinesLevel } from '@sluice/telemetry';
import type { MessageToPrimary } from './messages.ts';
import { MetricsExchange, sendTo } from './metrics-exchange.ts';

export interface ProcessesOptions {
  count: number;
  shutdownMs: number;
  env: NodeJS.ProcessEnv;
  logger: Logger;
  stop: StopSignal;
  /** The environment variable that marks a process of the group. */
  groupVariable: string;
}

/** A process that runs longer hangs. The launcher kills the primary half a second later. */
const KILL_MARGIN_MS = 5_500;

/**
 * Runs API processes that share one port. This process, the primary, accepts the connections and passes them on in
 * turn. It replaces a process that dies. A stop request goes to all processes at once, so that each has the full
 * shutdown time.
 * @throws {ChildStartError} if a process does not start
 */
export async function runProcesses(options: ProcessesOptions): Promise<void> {
  const { count, env, logger, stop, groupVariable } = options;
  const level = processLinesLevel(env);
  watchProcesses(count, stop.signal);
  const children: SupervisedChild[] = [];
  const supervision = { ...RESTART_WAITS, onLine: (line: string) => logger.error(line) };
  const start = (): Promise<string | undefined> => {
    let worker: Worker | undefined;
    const spawn = () => {
      // Only the primary logs that the API starts and stops.
      worker = cluster.fork({ [groupVariable]: '1', SLUICE_SUPERVISED: '1' });
      return worker.process;
    };
    const requestStop = () => worker && stopWorker(worker);
    const child = superviseChild({ name: 'API process', spawn, requestStop }, supervision);
    children.push(child);
    return child.ready;
  };
  stop.signal.addEventListener('abort', () => {
    logger[level]('api stopping; waiting for requests in flight');
    let code = 0;
    cluster.on('exit', (_worker, exitCode) => (code ||= exitCode === 0 ? 0 : 1));
    const ended = children.map((child) => child.stop(options.shutdownMs + KILL_MARGIN_MS));
    void Promise.all(ended).then(() => process.exit(code));
  });

  process.on('SIGHUP', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGHUP');
  });

  // The first process finds errors that would end all of them (e.g. a used port), and reports them once.
  const url = await start();
  stop.started();
  await Promise.all(Array.from({ length: count - 1 }, start));
  logger[level]({ url, processes: count }, 'api listening');
  process.send?.({ type: 'ready', url });
}

/**
 * Closes the port before the process receives the stop request, so that the process still accepts the connections that
 * are on their way to it. After a signal, it would refuse them, and they would stay open without a response.
 */
function stopWorker(worker: Worker): void {
  worker.disconnect();
  sendTo(worker, { type: 'stop' });
}

/** Notifies each process when all of them serve, and exchanges their metrics. */
function watchProcesses(count: number, stopping: AbortSignal): void {
  const serving = new Set<Worker>();
  const metrics = new MetricsExchange();
  const sendCount = (): void => {
    for (const worker of serving) sendTo(worker, { type: 'running', isComplete: serving.size === count });
  };
  cluster.on('message', (worker, message: MessageToPrimary | { type: 'ready' }) => {
    if (message.type !== 'ready') return void metrics.receive(worker, message, [...serving]);
    serving.add(worker);
    sendCount();
  });
  cluster.on('exit', (worker) => {
    serving.delete(worker);
    metrics.remove(worker);
    if (!stopping.aborted) sendCount();
  });
}
