import { GatewayError, type StoredResponseCall } from '@sluice/canonical';
import { editObject } from '@sluice/protocols';
import { expectSuccess } from '../generation/call-upstream.ts';
import type { TextCall } from '../generation/generation-deps.ts';
import { TEXT_PROTOCOLS } from '../generation/text-protocols.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import { chargeLateUsage, type LateUsageDeps } from './charge-late-usage.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { recordReportedItems } from './store/record-reported-items.ts';
import { responseNotFound } from './store/response-not-found.ts';
import type { StoredResponse } from './store/stored-response.ts';

/** Query parameters allowed for stored responses (openai-node 7.55, `resources/responses`). */
const QUERY = new Set(['include', 'include[]', 'limit', 'after', 'order', 'starting_after', 'include_obfuscation']);

/**
 * Forwards a request to the vendor that stores the response. The caller must have checked the response's owner.
 * @throws GatewayError `response_not_found` if the upstream is no longer configured, or the upstream's error
 */
export async function forwardStored(
  deps: LateUsageDeps & Pick<ResponsesDeps, 'accounts' | 'responseBytes'>,
  call: TextCall,
  record: StoredResponse,
  method: StoredResponseCall['method'],
  suffix: string,
): Promise<unknown> {
  const { request, reply, signal } = call;
  const capability = deps.accounts.get(record.upstream)?.text;
  if (!capability?.openStored) {
    throw new GatewayError(
      'response_not_found',
      'The upstream that stored this response is no longer configured. Send the conversation itself.',
    );
  }
  signal.throwIfAborted();
  const path = `/${encodeURIComponent(record.id)}${suffix}${queryOf(request.query)}`;
  try {
    const response = await capability.openStored({ method, path, signal });
    if (response.status === 404) {
      response.body.abort();
      throw responseNotFound(record.id);
    }
    await expectSuccess({ capability }, response, TEXT_PROTOCOLS[capability.protocol], true);
    const text = Buffer.from(await response.body.collect(deps.responseBytes)).toString('latin1');
    await chargeLateUsage(deps, call.apiKey, record, text);
    await recordReportedItems(deps, record.owner, record.upstream, text);
    const body = Buffer.from(editObject('responses', text, record.model), 'latin1');
    return await reply.type('application/json; charset=utf-8').send(body);
  } catch (error) {
    throw failedAttempt(error).error;
  }
}

function queryOf(query: unknown): string {
  const forwarded = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (!QUERY.has(name)) continue;
    for (const one of Array.isArray(value) ? value : [value]) forwarded.append(name, String(one));
  }
  return forwarded.size === 0 ? '' : `?${forwarded.toString()}`;
}
