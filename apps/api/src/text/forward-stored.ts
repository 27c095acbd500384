import { GatewayError, type StoredResponseCall } from '@sluice/canonical';
import { relayedAnswer } from '@sluice/protocols';
import { printable } from '../http/printable.ts';
import type { StoredResponse } from '../text-state/stored-response.ts';
import { chargeLate } from './charge-late.ts';
import { noteToldItems } from './note-told-items.ts';
import { expectSuccess } from './open-answer.ts';
import type { TextCall, TextRoom } from './text-room.ts';
import { failedAttempt } from './upstream-failure.ts';

/** What may be asked about a kept answer (openai-node 7.55, `resources/responses`). */
const QUERY = new Set(['include', 'include[]', 'limit', 'after', 'order', 'starting_after', 'include_obfuscation']);

/**
 * Asks the upstream that keeps an answer, and passes on what it says. Whose answer it is was looked up before.
 * @throws GatewayError `response_not_found` when the upstream is no longer configured, or what it refused
 */
export async function forwardStored(
  room: TextRoom,
  call: TextCall,
  record: StoredResponse,
  method: StoredResponseCall['method'],
  rest: string,
): Promise<unknown> {
  const { request, reply, signal } = call;
  const capability = room.accounts.get(record.upstream)?.text;
  if (!capability?.openStored) {
    throw new GatewayError('response_not_found', 'The upstream that kept this response is no longer there.');
  }
  signal.throwIfAborted();
  const path = `/${encodeURIComponent(record.id)}${rest}${queryOf(request.query)}`;
  const { protocol, account } = capability;
  const target = { upstream: record.upstream, account, protocol, model: record.model, quirks: {} };
  try {
    const answer = await capability.openStored({ method, path, signal });
    if (answer.status === 404) {
      answer.body.abort();
      throw notFound(record);
    }
    await expectSuccess({ target, capability }, answer, room.protocols[protocol], true);
    const text = Buffer.from(await answer.body.collect(room.answerBytes)).toString('latin1');
    await chargeLate(room, call, record, text);
    await noteToldItems(room, record.owner, record.upstream, text);
    const body = Buffer.from(relayedAnswer('responses', text, record.model), 'latin1');
    return await reply.type('application/json; charset=utf-8').send(body);
  } catch (error) {
    throw failedAttempt(error).error;
  }
}

function notFound({ id }: StoredResponse): GatewayError {
  return new GatewayError('response_not_found', `Response with id ${printable(id)} not found.`);
}

function queryOf(query: unknown): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (!QUERY.has(name)) continue;
    for (const one of Array.isArray(value) ? value : [value]) asked.append(name, String(one));
  }
  return asked.size === 0 ? '' : `?${asked.toString()}`;
}
