import type { Worker } from 'node:cluster';
import { type MetricsSnapshot, sumCounts } from '@sluice/telemetry';
import type { MessageFromPrimary, MessageToPrimary } from './messages.ts';

/** A process that does not respond within this time counts with its last metrics. */
const REPORT_MS = 1_000;

/** Gives each API process the metrics of the others. Runs in the primary. */
export class MetricsExchange {
  readonly #last = new Map<number, MetricsSnapshot>();
  readonly #waiting = new Map<number, () => void>();
  /** The counts of processes that have ended. Without them, the totals would fall. */
  #ended: Promise<MetricsSnapshot> = Promise.resolve({ families: [], named: [] });
  #lastId = 0;

  /** @param workers all running processes */
  async receive(from: Worker, message: MessageToPrimary, workers: readonly Worker[]): Promise<void> {
    if (from.isDead()) return;
    this.#last.set(from.id, message.own);
    if (message.type === 'report') {
      this.#waiting.get(message.id)?.();
      return;
    }
    const others = workers.filter((worker) => worker !== from);
    await Promise.all(others.map((worker) => this.#request(worker)));
    const last = others.flatMap(({ id }) => this.#last.get(id) ?? []);
    sendTo(from, { type: 'collected', id: message.id, others: [...last, await this.#ended] });
  }

  remove({ id }: Worker): void {
    const last = this.#last.get(id);
    this.#last.delete(id);
    if (last) this.#ended = this.#ended.then((ended) => sumCounts([ended, last]));
  }

  async #request(worker: Worker): Promise<void> {
    const id = (this.#lastId += 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, REPORT_MS);
    this.#waiting.set(id, resolve);
    sendTo(worker, { type: 'report', id });
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
  }
}

/** A message to a process that has just ended is lost. */
export function sendTo(worker: Worker, message: MessageFromPrimary): void {
  worker.send(message, () => undefined);
}
