import { accountName, type Generation, type GenerationRequest } from '@sluice/canonical';
import { outputItems } from '@sluice/protocols';
import type { OpenedResponse } from '../generation/request-completion.ts';
import type { Charge } from '../metering/charge.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { relayedOutput } from './state/relayed-output.ts';
import type { StoredResponse } from '@sluice/responses';

export type ResponseHead = Pick<StoredResponse, 'id' | 'owner' | 'model' | 'createdAt' | 'previousId'>;

export type ResponseInput = Pick<StoredResponse, 'body' | 'inputItems'>;

/** A request whose response is stored. */
export interface StoredRequest {
  head: ResponseHead;
  inputOf: () => ResponseInput;
  isBackground: boolean;
  /** The charge of a background response, whose usage its vendor reports later. */
  charge: Charge | undefined;
}

/** Time until a worker first reads a response that its vendor generates. */
const FIRST_POLL_MS = 2_000;

/**
 * Stores a response. If its vendor stores it too, only its owner, upstream, and item ids are stored here, and a copy if
 * the gateway keeps copies. Never throws, because the client must get its response.
 */
export async function storeResponse(
  deps: Pick<ResponsesDeps, 'responses' | 'keepsCopies' | 'tokenCodec' | 'newId' | 'logger' | 'now'>,
  { head, inputOf, isBackground, charge }: StoredRequest,
  opened: OpenedResponse,
  generation: Generation | undefined,
  request: GenerationRequest | undefined,
): Promise<void> {
  const { routed, exchange, feed } = opened;
  const { responseId: vendorId, itemIds: vendorItems, usage } = opened.buffered ?? feed?.writer.progress ?? {};
  try {
    const { model: upstreamModel } = routed.target;
    const upstream = accountName(routed.target);
    if (exchange.isRelayed) {
      if (vendorId === undefined) return;
      const output = deps.keepsCopies ? relayedOutput(opened) : undefined;
      const record: StoredResponse = {
        ...head,
        id: vendorId,
        upstream,
        upstreamModel,
        body: {},
        inputItems: [],
        outputItems: [],
        native: true,
        status: 'completed',
        ...(output && { copy: { inputItems: inputOf().inputItems, outputItems: output } }),
        ...(isBackground && deps.keepsCopies && !output && { pendingInput: inputOf().inputItems }),
        ...(vendorItems && { vendorItems }),
      };
      if (isBackground) {
        await storePolled(deps, record, usage ? undefined : charge);
      } else await deps.responses.put(record);
    } else if (generation && request) {
      const record = { ...head, ...inputOf(), upstream, upstreamModel, native: false };
      await deps.responses.put({ ...record, ...finalState(deps, record, generation, request) });
    }
  } catch (error) {
    deps.logger.warn({ err: error }, 'response could not be stored');
  }
}

/** Leaves the charge to the job of the response, unless the job cannot be stored. */
async function storePolled(
  { responses, now }: Pick<ResponsesDeps, 'responses' | 'now'>,
  record: StoredResponse,
  charge: Charge | undefined,
): Promise<void> {
  const open = charge?.handOver();
  const unknown = open && JSON.stringify(open);
  const poll = { createdAt: now(), delayMs: FIRST_POLL_MS, reservationId: open?.admission.id };
  try {
    await responses.createPoll(record, { ...poll, ...(unknown !== undefined && { unknown }) });
  } catch (error) {
    if (open) {
      charge?.takeBack();
      // Redis may have stored it although its reply was lost. Without its job, the removal charges nothing.
      const { drop } = responses.chargedJob(record);
      drop()
        .then(() => responses.remove(record))
        .catch(() => undefined);
    }
    throw error;
  }
}

function finalState(
  { tokenCodec, newId, now }: Pick<ResponsesDeps, 'tokenCodec' | 'newId' | 'now'>,
  { id, body, createdAt }: Pick<StoredResponse, 'id' | 'body' | 'createdAt'>,
  generation: Generation,
  request: GenerationRequest,
): Pick<StoredResponse, 'status' | 'completedAt' | 'outputItems' | 'usage' | 'incompleteReason'> {
  const reason = incompleteReasonOf(generation);
  return {
    ...(reason === undefined
      ? { status: 'completed', completedAt: Math.floor(now() / 1_000) }
      : { status: 'incomplete', incompleteReason: reason }),
    outputItems: outputItems(generation, { request, body, responseId: id, createdAt, tokenCodec, newId }),
    ...(generation.usage && { usage: generation.usage }),
  };
}

function incompleteReasonOf({ choices }: Generation): StoredResponse['incompleteReason'] {
  const finish = choices[0]?.finish;
  if (finish === 'length' || finish === 'context_window') return 'max_output_tokens';
  return finish === 'content_filter' ? 'content_filter' : undefined;
}
