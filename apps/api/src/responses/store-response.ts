import type { Generation, GenerationRequest } from '@sluice/canonical';
import { outputItems } from '@sluice/protocols';
import type { StoredResponse } from './store/stored-response.ts';
import type { OpenedResponse } from '../generation/request-completion.ts';
import type { GenerationDeps } from '../generation/text-services.ts';

/** What is known of an answer before it is there. */
export type ResponseHead = Pick<StoredResponse, 'id' | 'owner' | 'model' | 'createdAt' | 'previousId' | 'charged'>;

/** What was said to get it. */
export type ResponseInput = Pick<StoredResponse, 'body' | 'inputItems'>;

/**
 * Keeps an answer so that it can be gone on from, read and deleted. One that its vendor keeps is noted with its owner, its
 * upstream and the ids of its items alone. Never throws: an answer is worth more than its record.
 */
export async function storeResponse(
  deps: GenerationDeps,
  head: ResponseHead,
  said: () => ResponseInput,
  opened: OpenedResponse,
  generation: Generation | undefined,
  request: GenerationRequest | undefined,
): Promise<void> {
  const { routed, exchange, feed } = opened;
  const { responseId: vendorId, itemIds: vendorItems, usage } = opened.whole ?? feed?.writer.progress ?? {};
  const { charged, ...kept } = head;
  try {
    const { upstream } = routed.target;
    if (exchange.isRelayed) {
      if (vendorId === undefined) return;
      await deps.responses.put({
        ...kept,
        id: vendorId,
        upstream,
        body: {},
        inputItems: [],
        outputItems: [],
        native: true,
        status: 'completed',
        ...(vendorItems && { vendorItems }),
        ...(charged && !usage && { charged }),
      });
    } else if (generation && request) {
      const whole = { ...kept, ...said(), upstream, native: false };
      await deps.responses.put({ ...whole, ...finalState(deps, whole, generation, request) });
    }
  } catch (error) {
    deps.logger.warn({ err: error }, 'an answer could not be kept');
  }
}

/** How an answer ended, as it is kept. */
export function finalState(
  { tokenCodec, newId }: GenerationDeps,
  { id, body, createdAt }: Pick<StoredResponse, 'id' | 'body' | 'createdAt'>,
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
    outputItems: outputItems(generation, { request, body, responseId: id, createdAt, tokenCodec, newId }),
    ...(generation.usage && { usage: generation.usage }),
    ...(reason !== undefined && { incompleteReason: reason }),
  };
}
