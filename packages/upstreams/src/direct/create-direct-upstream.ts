import {
  type DirectCall,
  type DirectCapability,
  GatewayError,
  UpstreamRefusalError,
  invalidResponseMessage,
} from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { SendableHeader } from '../http/http-headers.ts';
import { parseBaseUrl, pathBelow } from '../text/base-url.ts';
import { wireTools } from '../media/wire-tools.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { sendParts } from './send-parts.ts';
import { refusalOf, type WireRefusal } from './refusal.ts';

interface DirectRequest {
  path: string;
  json: unknown;
  maxResponseBytes?: number;
}

/** Encodes and decodes a vendor's JSON calls for one capability. Performs no I/O. */
export interface DirectWire<Params, Result> {
  /** @throws GatewayError if the vendor does not support a parameter */
  request(params: Params, call: Pick<DirectCall, 'model' | 'report'>): DirectRequest;
  read(body: unknown, params: Params, call: Pick<DirectCall, 'model'>): Result | undefined;
  refusal(response: UpstreamResponse): WireRefusal;
  split?: ParamsSplit<Params, Result>;
}

export interface ParamsSplit<Params, Result> {
  parts(params: Params, call: Pick<DirectCall, 'model'>): readonly Params[];
  join(responses: readonly Result[], parts: readonly Params[]): Result;
}

export type DirectCredential = Partial<Record<SendableHeader, string>>;

const RESPONSE_BYTES = 64 * 1024 * 1024;
const FIRST_MS = 600_000;

/**
 * Creates a capability from a vendor's wire format. Each part of a request is one POST, which is never retried.
 * @throws TypeError if the account's `base_url` is invalid
 */
export function createDirectUpstream<Params, Result>(
  account: UpstreamAccount,
  context: UpstreamContext,
  credential: DirectCredential,
  wire: DirectWire<Params, Result>,
): DirectCapability<Params, Result> {
  const base = parseBaseUrl(account.base_url);
  const tools = wireTools(account, context);
  const post = async (
    params: Params,
    request: DirectRequest,
    { model, signal, traceHeaders }: Pick<DirectCall, 'model' | 'signal' | 'traceHeaders'>,
  ): Promise<Result> => {
    const { path, json, maxResponseBytes = RESPONSE_BYTES } = request;
    const response = await context.fetchUpstream({
      method: 'POST',
      url: base.origin + pathBelow(base, path),
      headers: credential,
      ...((account.headers ?? traceHeaders) && { ownHeaders: { ...traceHeaders, ...account.headers } }),
      body: { kind: 'json', value: json },
      timeoutMs: context.timeouts.textFirstMs ?? FIRST_MS,
      maxResponseBytes,
      signal,
    });
    const { status, body } = response;
    if (status < 200 || status > 299) {
      const isFinal = response.headers['x-should-retry'] === 'false';
      throw new UpstreamRefusalError(status, refusalOf(wire.refusal(response), response, tools, model), isFinal);
    }
    const read = wire.read(body, params, { model });
    if (read !== undefined) return read;
    // Some vendors send errors with HTTP 200.
    const refusal = wire.refusal(response);
    if (refusal.text !== undefined) {
      throw new UpstreamRefusalError(status, refusalOf(refusal, response, tools, model));
    }
    throw new UpstreamRefusalError(502, new GatewayError('provider_error', invalidResponseMessage()));
  };
  return {
    call: async (params, { model, signal, report, traceHeaders }) => {
      const parts = wire.split?.parts(params, { model }) ?? [params];
      // Encode all parts before sending any, so that an unsupported request incurs no cost.
      const calls = parts.map((part) => ({ part, request: wire.request(part, { model, report }) }));
      const [response, ...more] = await sendParts(calls, signal, ({ part, request }, either) =>
        post(part, request, { model, signal: either, ...(traceHeaders && { traceHeaders }) }),
      );
      if (response === undefined) throw new Error('a request has at least one part');
      return wire.split && more.length > 0 ? wire.split.join([response, ...more], parts) : response;
    },
  };
}
