import type { Logger } from '@sluice/telemetry';
import { reportedItemIds } from './reported-item-ids.ts';
import type { ResponseStore } from './response-store.ts';

/**
 * Records the items of a vendor's response, so that the key may reference them later. Never throws, because the client
 * must get its response.
 * @param json the vendor's response
 */
export async function recordReportedItems(
  { responses, logger }: { responses: Pick<ResponseStore, 'recordItems'>; logger: Pick<Logger, 'warn'> },
  owner: string,
  upstream: string,
  json: string,
): Promise<void> {
  try {
    await responses.recordItems(owner, upstream, reportedItemIds(json));
  } catch (error) {
    logger.warn({ err: error }, 'response items could not be recorded');
  }
}
