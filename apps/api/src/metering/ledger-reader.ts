import { GatewayError, unavailableMessage } from '@sluice/canonical';
import { InvalidPositionError, invalidParam, type LedgerStore } from '@sluice/ledger';

/** The ledger store as the report endpoints use it. Its errors can be sent to clients. */
export type LedgerReader = Pick<LedgerStore, 'usage' | 'entries' | 'histogram' | 'fallbacks'>;

/** Reports of one process that may run or wait at the same time. The store runs them one after the other. */
const MAX_REPORTS = 32;

/** @param store undefined if the ledger is disabled. It opens its database with the first report. */
export function createLedgerReader(store: LedgerReader | undefined): LedgerReader {
  let running = 0;
  const read = async <T>(query: (opened: LedgerReader) => Promise<T>): Promise<T> => {
    if (!store) {
      throw new GatewayError(
        'not_found',
        'The usage ledger is disabled. The operator enables it with `ledger.enabled`.',
      );
    }
    if (running >= MAX_REPORTS) {
      throw new GatewayError('rate_limited', 'Too many reports run at the same time. Retry shortly.');
    }
    running += 1;
    try {
      return await query(store);
    } catch (error) {
      throw readableError(error);
    } finally {
      running -= 1;
    }
  };
  return {
    usage: (query) => read((opened) => opened.usage(query)),
    entries: (query) => read((opened) => opened.entries(query)),
    histogram: (query) => read((opened) => opened.histogram(query)),
    fallbacks: (query) => read((opened) => opened.fallbacks(query)),
  };
}

function readableError(error: unknown): GatewayError {
  if (error instanceof InvalidPositionError) return invalidParam('after', 'must be `next` of the previous page');
  return new GatewayError('store_unavailable', unavailableMessage('usage ledger'), { cause: error });
}
