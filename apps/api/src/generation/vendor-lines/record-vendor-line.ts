import type { VendorLine } from '@sluice/batches';
import { GatewayError, type ResponseBody, splitAccount, type UpstreamTextResponse } from '@sluice/canonical';
import type { ModelTarget } from '@sluice/config';
import { type BufferedResponse, readResponse, readTextRequest, type TextRequest, usageIn } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import { endUserOf } from '../../ledger/end-user.ts';
import { AttemptError } from '../../routing/attempt-error.ts';
import { findModel } from '../../routing/find-model.ts';
import { servedFields } from '../../routing/record-served.ts';
import { servedHeaders } from '../../routing/served-headers.ts';
import type { RoutedTarget } from '../../routing/targets.ts';
import { expectSuccess } from '../call-upstream.ts';
import type { GenerationDeps, TextCall } from '../generation-deps.ts';
import { bodyOf, pathOf } from '../plan-text.ts';
import { reserveText } from '../reserve-text.ts';
import { createTextContext } from '../text-context.ts';
import { UPSTREAM_PROTOCOLS } from '../text-protocols.ts';

type RecordStep = VendorLine & { step: 'record' };

/**
 * Decodes and charges the vendor's result of a request in a batch. The vendor has been paid, so nothing that the request
 * refers to needs to exist any more: neither files and earlier responses, nor the model and its routes.
 */
export async function recordVendorLine(deps: GenerationDeps, call: TextCall, line: RecordStep): Promise<FastifyReply> {
  const request = readTextRequest(call.endpoint.protocol, bodyOf(call), pathOf(call));
  call.request.ledger?.setUser(endUserOf(request));
  const { model = {}, targets = [] } = findRecorded(deps, call, request.model) ?? {};
  const routed = routedOf(deps, targets, line);
  await reserveText(deps, call, { request, resolvedModel: { model }, targets: [routed] });
  // As for a live request, it shows that an upstream has decided the outcome.
  void call.reply.header('x-sluice-attempts', '1');
  const upstream = UPSTREAM_PROTOCOLS[routed.target.protocol];
  const relayed = upstream.name === request.protocol.name;
  const record = ({ usage, losses }: Pick<BufferedResponse, 'usage' | 'losses'>) => {
    const served = { target: routed.target, relayed, losses };
    call.request.served = { ...servedFields(served), usage: () => usage };
    void call.reply.headers(servedHeaders(served));
  };
  await expectSuccess(routed, responseOf(line), upstream, relayed).catch((error: unknown) => {
    throw error instanceof AttemptError ? error.error : error;
  });
  const bytes = Buffer.from(line.body);
  try {
    const buffered = readBuffered(deps, call, request, routed, bytes);
    record(buffered);
    return call.reply.type('application/json; charset=utf-8').send(buffered.body);
  } catch (error) {
    // The vendor bills also a result that cannot be decoded.
    const usage = 'decodeUsage' in upstream ? usageIn(upstream, bytes) : undefined;
    if (usage) record({ usage });
    throw error;
  }
}

/** Returns undefined if the model does not exist any more. */
function findRecorded({ catalog }: Pick<GenerationDeps, 'catalog'>, call: TextCall, name: string) {
  // The key could use the model when the batch was created.
  const apiKey = { ...call.apiKey, allows: () => true };
  try {
    return findModel(catalog, { apiKey, request: call.request }, name);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'model_not_found') return undefined;
    throw error;
  }
}

/** @throws GatewayError `no_upstream` if the account does not exist in this configuration */
function routedOf(
  { accounts }: Pick<GenerationDeps, 'accounts'>,
  routes: readonly ModelTarget[],
  { account, model }: RecordStep,
): RoutedTarget {
  const capability = accounts.get(account)?.text;
  if (!capability) throw new GatewayError('no_upstream', 'The vendor account of the batch does not exist.');
  const { account: id, protocol } = capability;
  const { upstream, credential } = splitAccount(account);
  const route = routes.find((one) => one.upstream === upstream && one.model === model);
  const quirks = { ...capability.quirks, ...route?.quirks };
  return { target: { upstream, credential, account: id, protocol, model, quirks }, capability };
}

function readBuffered(
  deps: GenerationDeps,
  call: TextCall,
  request: TextRequest,
  { target, capability }: RoutedTarget,
  bytes: Uint8Array,
): BufferedResponse {
  const { response } = createTextContext(deps, call, { request, strict: false });
  const upstream = UPSTREAM_PROTOCOLS[target.protocol];
  const generation = () => request.decoded(deps.tokenCodec).generation;
  const scrub = (text: string) => capability.scrub(text);
  return readResponse({ request, upstream, target, response, generation, scrub }, bytes);
}

/** A response that has arrived, to be collected. */
function responseOf({ status, body: text }: RecordStep): UpstreamTextResponse {
  const bytes = Buffer.from(text);
  const body: ResponseBody = {
    feed(sink) {
      sink.data(bytes);
      sink.end();
    },
    resume: () => undefined,
    collect: () => Promise.resolve(bytes),
    abort: () => undefined,
  };
  return { status, headers: { 'content-type': 'application/json' }, body };
}
