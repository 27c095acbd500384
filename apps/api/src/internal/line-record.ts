import type { LineUse } from '@sluice/batches';
import type { Usage } from '@sluice/canonical';
import type { StoredLine } from '../auth/stored-line.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Time for the end of a request to be noticed by the server. */
const NOTICE_MS = 5_000;

/** Waits until the usage of a batch line is in Redis, so that no crash can lose the usage of a line with a result. */
export class LineRecord implements StoredLine {
  readonly #ledger: Pick<Ledger, 'written'>;
  readonly #ended = Promise.withResolvers<Usage | undefined>();
  #charged: Promise<void> | undefined;
  #cost: Pick<LineUse, 'costNanos' | 'isUnpriced'> = {};

  constructor(ledger: Pick<Ledger, 'written'>) {
    this.#ledger = ledger;
  }

  onPriced(costNanos: number | undefined, isUsed: boolean): void {
    this.#cost = { costNanos, isUnpriced: isUsed && costNanos === undefined };
  }

  onCharge(charged: Promise<void>): void {
    this.#charged = charged;
  }

  onEnd(usage: Usage | undefined): void {
    this.#ended.resolve(usage);
  }

  /** Call it after the end of the response. Resolves if the usage is recorded, or if that was given up. */
  async recorded(): Promise<LineUse> {
    const timer = setTimeout(() => this.#ended.resolve(undefined), NOTICE_MS);
    const usage = await this.#ended.promise;
    clearTimeout(timer);
    await Promise.all([this.#charged, this.#ledger.written()]);
    return { ...this.#cost, usage };
  }
}
