import type { GenerationDeps } from '../../generation/text-services.ts';
import { reportedItemIds } from './reported-item-ids.ts';

/**
 * Notes that a key has been told of items, so that it may refer to them. Never throws: the answer is worth more.
 * @param json what its vendor answered
 */
export async function recordReportedItems(
  { responses, logger }: Pick<GenerationDeps, 'responses' | 'logger'>,
  owner: string,
  upstream: string,
  json: string,
): Promise<void> {
  try {
    await responses.recordItems(owner, upstream, reportedItemIds(json));
  } catch (error) {
    logger.warn({ err: error }, 'items of an answer could not be noted');
  }
}
