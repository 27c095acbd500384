import { GatewayError } from '@sluice/canonical';
import { encodeResponseEvent, responseEvent } from '@sluice/protocols';
import { type Repetition, showResponse, type StoredResponse } from '@sluice/responses';
import type { FastifyRequest } from 'fastify';
import type { TextCall } from '../generation/generation-deps.ts';
import { bodyOf } from '../generation/plan-text.ts';
import { LABELS_HEADER } from '../ledger/labels.ts';
import { SESSION_HEADERS } from '../routing/conversation-key.ts';
import { sendRepeated } from './repeated-response.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import type { ResponseHead, ResponseInput } from './store-response.ts';
import { responseNotFound } from './store/response-not-found.ts';
import { streamEvents } from './stream-events.ts';

/** Headers of the client that matter to the run. */
const KEPT_HEADERS = [LABELS_HEADER, ...SESSION_HEADERS];

/**
 * Stores a response that a worker runs, and responds immediately. The request was checked, and its cost is reserved until
 * the run has ended. If the request repeats another one, responds with the earlier response, and reserves nothing.
 */
export async function queueResponse(
  deps: ResponsesDeps,
  call: TextCall,
  draft: ResponseHead & ResponseInput,
  repetition: Repetition | undefined,
): Promise<unknown> {
  const { request, reply } = call;
  if (draft.body['store'] === false) throw unsupported();
  call.signal.throwIfAborted();
  const record: StoredResponse = { ...draft, upstream: '', native: false, status: 'queued', outputItems: [] };
  const { charge } = request;
  // Called before the first await, because the client may disconnect while this function waits.
  charge?.defer();
  const shown = showResponse(record);
  const admission = charge?.admission && JSON.stringify(charge.admission);
  const id = await deps.responses
    .createRun(record, {
      body: bodyOf(call),
      headers: keptHeaders(request),
      createdAt: deps.now(),
      events: ['created', 'queued'].map((type, number) => encodeResponseEvent(responseEvent(type, shown), number)),
      ...(admission !== undefined && { admission, reservationId: charge?.admission?.id }),
      repetition,
    })
    .catch((error: unknown) => {
      charge?.release();
      // Redis may have stored it although its reply was lost. The client does not know its id.
      deps.responses.remove(record).catch(() => undefined);
      throw error;
    });
  if (id !== record.id) {
    charge?.release();
    const earlier = await deps.responses.get(record.owner, id);
    if (!earlier) throw responseNotFound(id);
    return sendRepeated(deps, call, earlier);
  }
  return draft.body['stream'] === true ? streamEvents(deps, call, record, -1) : reply.send(shown);
}

function keptHeaders({ id, headers, trace }: FastifyRequest): Record<string, string> {
  const kept = KEPT_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const ids = trace?.ids;
  return {
    ...Object.fromEntries(kept),
    'x-request-id': id,
    // https://www.w3.org/TR/trace-context/#traceparent-header
    ...(ids && { traceparent: `00-${ids.traceId}-${ids.spanId}-0${ids.traceFlags}` }),
  };
}

function unsupported(): GatewayError {
  const message = 'A background response is always stored. Remove `background` or `store: false`.';
  return new GatewayError('unsupported_parameter', message, { param: 'background' });
}
