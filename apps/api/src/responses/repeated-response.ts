import type { TextRequest } from '@sluice/protocols';
import { type Repetition, showResponse, type StoredResponse } from '@sluice/responses';
import type { TextCall } from '../generation/generation-deps.ts';
import { requestDigest } from '../http/idempotency/request-digest.ts';
import { idempotencyKeyOf } from '../http/idempotency/idempotency-key.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { streamEvents } from './stream-events.ts';

/** Undefined if the client sends no `Idempotency-Key`. @throws GatewayError `invalid_request` if the key is invalid */
export function repetitionOf({ request }: TextCall, sent: TextRequest): Repetition | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  return { key, digest: requestDigest(sent.body()) };
}

/** Responds with the background response of an earlier request, in its current state or as a stream from its start. */
export async function sendRepeated(deps: ResponsesDeps, call: TextCall, record: StoredResponse): Promise<unknown> {
  void call.reply.header('idempotent-replayed', 'true');
  return record.body['stream'] === true ? streamEvents(deps, call, record, -1) : call.reply.send(showResponse(record));
}
