import { GatewayError, type StoredResponseCall } from '@sluice/canonical';
import { relayedResponse } from '@sluice/protocols';
import { printable } from '../http/printable.ts';
import type { StoredResponse } from './store/stored-response.ts';
import { chargeLateUsage } from './charge-late-usage.ts';
import { recordReportedItems } from './store/record-reported-items.ts';
import { expectSuccess } from '../generation/request-completion.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';

/** What may be asked about a kept answer (openai-node 7.55, `resources/responses`). */
const QUERY = new Set(['include', 'include[]', 'limit', 'after', 'order', 'starting_after', 'include_obfuscation']);

/**
 * Asks the upstream that keeps an answer, and passes on what it says. Whose answer it is was looked up before.
 * @throws GatewayError `response_not_found` when the upstream is no longer configured, or what it refused
 */
export async function forwardStored(
  deps: GenerationDeps,
  call: TextCall,
  record: StoredResponse,
  method: StoredResponseCall['method'],
  rest: string,
): Promise<unknown> {
  const { request, reply, signal } = call;
  const capability = deps.accounts.get(record.upstream)?.text;
  if (!capability?.openStored) {
    throw new GatewayError('response_not_found', 'The upstream that kept this response is no longer there.');
  }
  signal.throwIfAborted();
  const path = `/${encodeURIComponent(record.id)}${rest}${queryOf(request.query)}`;
  const { protocol, account } = capability;
  const target = { upstream: record.upstream, account, protocol, model: record.model, quirks: {} };
  try {
    const response = await capability.openStored({ method, path, signal });
    if (response.status === 404) {
      response.body.abort();
      throw notFound(record);
    }
    await expectSuccess({ target, capability }, response, deps.protocols[protocol], true);
    const text = Buffer.from(await response.body.collect(deps.responseBytes)).toString('latin1');
    await chargeLateUsage(deps, call, record, text);
    await recordReportedItems(deps, record.owner, record.upstream, text);
    const body = Buffer.from(relayedResponse('responses', text, record.model), 'latin1');
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
