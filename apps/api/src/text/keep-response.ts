import type { Generation, GenerationRequest } from '@sluice/canonical';
import { outputItems } from '@sluice/protocols';
import type { StoredResponse } from '../text-state/stored-response.ts';
import type { OpenedAnswer } from './open-answer.ts';
import type { TextRoom } from './text-room.ts';

/** What is known of an answer before it is there. */
export type AnswerDraft = Pick<
  StoredResponse,
  'id' | 'owner' | 'model' | 'createdAt' | 'body' | 'inputItems' | 'previousId'
>;

/**
 * Keeps an answer so that it can be gone on from, read and deleted. One that its vendor keeps is noted with its owner and its
 * upstream alone. Never throws: an answer is worth more than its record.
 */
export async function keepResponse(
  room: TextRoom,
  draft: () => AnswerDraft,
  opened: OpenedAnswer,
  generation: Generation | undefined,
  request: GenerationRequest | undefined,
): Promise<void> {
  const { routed, exchange, whole, feed } = opened;
  const vendorId = whole?.answerId ?? feed?.writer.progress.answerId;
  try {
    const common = { ...draft(), upstream: routed.target.upstream };
    if (exchange.isRelayed) {
      if (vendorId === undefined) return;
      const { owner, model, createdAt, upstream } = common;
      const kept = { owner, model, createdAt, upstream, body: {}, inputItems: [], outputItems: [] };
      await room.responses.put({ ...kept, id: vendorId, native: true, status: 'completed' });
    } else if (generation && request) {
      await room.responses.put({ ...common, native: false, ...finalState(room, common, generation, request) });
    }
  } catch (error) {
    room.logger.warn({ err: error }, 'an answer could not be kept');
  }
}

/** How an answer ended, as it is kept. */
export function finalState(
  { sealer, newId }: TextRoom,
  { id, body, createdAt }: Pick<AnswerDraft, 'id' | 'body' | 'createdAt'>,
  generation: Generation,
  request: GenerationRequest,
): Pick<StoredResponse, 'status' | 'outputItems' | 'usage' | 'incompleteReason'> {
  const finish = generation.choices[0]?.finish;
  const reason =
    finish === 'length' || finish === 'context_window'
      ? 'max_output_tokens'
      : finish === 'content_filter'
        ? 'content_filter'
        : undefined;
  return {
    status: reason === undefined ? 'completed' : 'incomplete',
    outputItems: outputItems(generation, { request, body, answerId: id, createdAt, sealer, newId }),
    ...(generation.usage && { usage: generation.usage }),
    ...(reason !== undefined && { incompleteReason: reason }),
  };
}
