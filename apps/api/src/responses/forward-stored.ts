import {
  GatewayError,
  type StoredResponseCall,
  type TextCapability,
  type UpstreamTextResponse,
} from '@sluice/canonical';
import { editObject } from '@sluice/protocols';
import { expectSuccess } from '../generation/call-upstream.ts';
import type { TextCall } from '../generation/generation-deps.ts';
import { UPSTREAM_PROTOCOLS } from '../generation/text-protocols.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import { chargeEnded, type ChargeEndedDeps } from './charge-ended.ts';
import { readEnded } from './read-ended.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { recordReportedItems } from './store/record-reported-items.ts';
import { outputItemsOf } from './state/relayed-output.ts';
import { responseNotFound } from './store/response-not-found.ts';
import type { StoredResponse } from '@sluice/responses';

/** Query parameters allowed for stored responses (openai-node 7.55, `resources/responses`). */
const QUERY = new Set([
  'include',
  'include[]',
  'limit',
  'after',
  'order',
  'stream',
  'starting_after',
  'include_obfuscation',
]);

/**
 * Forwards a request to the vendor that stores the response. The caller must have checked the response's owner.
 * @throws GatewayError `response_not_found` if the upstream is no longer configured, or the upstream's error
 */
export async function forwardStored(
  deps: ChargeEndedDeps & Pick<ResponsesDeps, 'accounts' | 'responseBytes' | 'responses'>,
  call: TextCall,
  record: StoredResponse,
  method: StoredResponseCall['method'],
  suffix: string,
): Promise<unknown> {
  try {
    const text = await readStored(deps, call, record, method, suffix);
    await storeCopy(deps, record, text);
    await recordReportedItems(deps, record.owner, record.upstream, text);
    const body = Buffer.from(editObject('responses', text, record.model), 'latin1');
    return await call.reply.type('application/json; charset=utf-8').send(body);
  } catch (error) {
    throw failedAttempt(error).error;
  }
}

/** Reads a response from its vendor. If it has ended, it is charged. @throws as {@link openStored} */
async function readStored(
  deps: ChargeEndedDeps & Pick<ResponsesDeps, 'accounts' | 'responseBytes'>,
  call: TextCall,
  record: StoredResponse,
  method: StoredResponseCall['method'],
  suffix: string,
): Promise<string> {
  const { response } = await openStored(deps, call, record, method, suffix);
  const text = Buffer.from(await response.body.collect(deps.responseBytes)).toString('latin1');
  await chargeEnded(deps, call.apiKey, record, text);
  return text;
}

/**
 * Charges a background response before its vendor deletes it with its usage, and cancels it if it has not ended. If the
 * usage stays unknown, the deletion charges the reservation. Never throws.
 */
export async function chargeBeforeDeletion(
  deps: Parameters<typeof readStored>[0],
  call: TextCall,
  record: StoredResponse,
): Promise<void> {
  try {
    if ((await deps.responses.unknownOf(record)) === undefined) return;
    const ended = readEnded(await readStored(deps, call, record, 'GET', ''));
    if (!ended) await readStored(deps, call, record, 'POST', '/cancel');
  } catch (error) {
    deps.logger.warn({ err: error }, 'usage of a deleted background response is unknown');
  }
}

interface OpenedStored {
  response: UpstreamTextResponse;
  capability: TextCapability;
}

/** @throws GatewayError or AttemptError unless the vendor responds with a success */
export async function openStored(
  { accounts }: Pick<ResponsesDeps, 'accounts'>,
  { request, signal }: TextCall,
  record: StoredResponse,
  method: StoredResponseCall['method'],
  suffix: string,
): Promise<OpenedStored> {
  const capability = accounts.get(record.upstream)?.text;
  if (!capability?.openStored) {
    throw new GatewayError(
      'response_not_found',
      'The upstream that stored this response is no longer configured. Send the conversation itself.',
    );
  }
  signal.throwIfAborted();
  const path = `/${encodeURIComponent(record.id)}${suffix}${queryOf(request.query)}`;
  const response = await capability.openStored({ method, path, signal });
  if (response.status === 404) {
    response.body.abort();
    throw responseNotFound(record.id);
  }
  await expectSuccess({ capability }, response, UPSTREAM_PROTOCOLS[capability.protocol], true);
  return { response, capability };
}

/** Completes the gateway's copy of a background response as soon as its output is known. Never throws. */
async function storeCopy(
  { responses, logger }: Pick<ResponsesDeps, 'responses' | 'logger'>,
  record: StoredResponse,
  text: string,
): Promise<void> {
  const { pendingInput: inputItems, ...rest } = record;
  const outputItems = inputItems && outputItemsOf(Buffer.from(text, 'latin1'));
  if (!inputItems || !outputItems) return;
  try {
    await responses.put({ ...rest, copy: { inputItems, outputItems } });
  } catch (error) {
    logger.warn({ err: error }, 'copy of a background response not stored yet');
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
