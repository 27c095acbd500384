import type { TextRoom } from './text-room.ts';
import { toldItemIds } from './told-item-ids.ts';

/**
 * Notes that a key has been told of items, so that it may refer to them. Never throws: the answer is worth more.
 * @param json what its vendor answered
 */
export async function noteToldItems(
  { responses, logger }: Pick<TextRoom, 'responses' | 'logger'>,
  owner: string,
  upstream: string,
  json: string,
): Promise<void> {
  try {
    await responses.noteItems(owner, upstream, toldItemIds(json));
  } catch (error) {
    logger.warn({ err: error }, 'items of an answer could not be noted');
  }
}
