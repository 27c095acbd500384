import type { Generation, GenerationRequest } from '@sluice/canonical';
import { outputItems } from '@sluice/protocols';
import type { OpenedResponse } from '../generation/request-completion.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import type { StoredResponse } from './store/stored-response.ts';

export type ResponseHead = Pick<
  StoredResponse,
  'id' | 'owner' | 'model' | 'createdAt' | 'previousId' | 'charged' | 'ledger'
>;

export type ResponseInput = Pick<StoredResponse, 'body' | 'inputItems'>;

/**
 * Stores a response. If its vendor stores it too, only its owner, upstream, and item ids are stored here. Never throws,
 * because the client must get its response.
 */
export async function storeResponse(
  deps: Pick<ResponsesDeps, 'responses' | 'tokenCodec' | 'newId' | 'logger'>,
  head: ResponseHead,
  inputOf: () => ResponseInput,
  opened: OpenedResponse,
  generation: Generation | undefined,
  request: GenerationRequest | undefined,
): Promise<void> {
  const { routed, exchange, feed } = opened;
  const { responseId: vendorId, itemIds: vendorItems, usage } = opened.buffered ?? feed?.writer.progress ?? {};
  const { charged, ledger, ...uncharged } = head;
  try {
    const { upstream, model: upstreamModel } = routed.target;
    if (exchange.isRelayed) {
      if (vendorId === undefined) return;
      await deps.responses.put({
        ...uncharged,
        id: vendorId,
        upstream,
        upstreamModel,
        body: {},
        inputItems: [],
        outputItems: [],
        native: true,
        status: 'completed',
        ...(vendorItems && { vendorItems }),
        ...(charged && !usage && { charged, ...(ledger !== undefined && { ledger }) }),
      });
    } else if (generation && request) {
      const record = { ...uncharged, ...inputOf(), upstream, upstreamModel, native: false };
      await deps.responses.put({ ...record, ...finalState(deps, record, generation, request) });
    }
  } catch (error) {
    deps.logger.warn({ err: error }, 'response could not be stored');
  }
}

export function finalState(
  { tokenCodec, newId }: Pick<ResponsesDeps, 'tokenCodec' | 'newId'>,
  { id, body, createdAt }: Pick<StoredResponse, 'id' | 'body' | 'createdAt'>,
  generation: Generation,
  request: GenerationRequest,
): Pick<StoredResponse, 'status' | 'outputItems' | 'usage' | 'incompleteReason'> {
  const reason = incompleteReasonOf(generation);
  return {
    status: reason === undefined ? 'completed' : 'incomplete',
    outputItems: outputItems(generation, { request, body, responseId: id, createdAt, tokenCodec, newId }),
    ...(generation.usage && { usage: generation.usage }),
    ...(reason !== undefined && { incompleteReason: reason }),
  };
}

function incompleteReasonOf({ choices }: Generation): StoredResponse['incompleteReason'] {
  const finish = choices[0]?.finish;
  if (finish === 'length' || finish === 'context_window') return 'max_output_tokens';
  return finish === 'content_filter' ? 'content_filter' : undefined;
}
