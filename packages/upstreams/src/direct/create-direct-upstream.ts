import { type DirectCall, type DirectCapability, GatewayError, UpstreamRefusalError } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { SendableHeader } from '../http/http-headers.ts';
import { parseBaseUrl, pathBelow } from '../text/base-url.ts';
import { wireTools } from '../media/wire-tools.ts';
import type { UpstreamAccount, UpstreamContext } from '../upstream.ts';
import { askInParts } from './ask-in-parts.ts';
import { refusalOf, type WireRefusal } from './refusal.ts';

/** The one request that a wish comes to. */
interface DirectRequest {
  /** Below the account's `base_url`. */
  path: string;
  json: unknown;
  /** Longest answer that is read, bytes; default {@link RESPONSE_BYTES}. */
  maxResponseBytes?: number;
}

/** How a vendor spells one kind of wish whose answer is JSON. Touches no network. */
export interface DirectWire<Wish, Answer> {
  /** @throws GatewayError for what the vendor cannot do */
  request(params: Wish, call: Pick<DirectCall, 'model' | 'report'>): DirectRequest;
  /** Reads a success. Undefined: it is not understood. @throws GatewayError when it is not what was wished for */
  read(body: unknown, params: Wish, call: Pick<DirectCall, 'model'>): Answer | undefined;
  /** What a refusal says. */
  refusal(response: UpstreamResponse): WireRefusal;
  /** For a vendor that takes less in one call than a wish may have. Absent: every wish is one call. */
  split?: ParamsSplit<Wish, Answer>;
}

/** How a wish is made into several and their answers into one. */
export interface ParamsSplit<Wish, Answer> {
  /** At least one; each is asked for by a call of its own. */
  parts(params: Wish): readonly Wish[];
  /** @param responses of the parts, in their order; more than one */
  join(responses: readonly Answer[], parts: readonly Wish[]): Answer;
}

/** The credential of each call; none where the account has no key. */
export type DirectCredential = Partial<Record<SendableHeader, string>>;

const RESPONSE_BYTES = 64 * 1024 * 1024;
const FIRST_MS = 600_000;

/**
 * Makes a capability of a vendor's wire: one POST, or one for each part of the wish; none is sent twice.
 * @throws TypeError when the account's `base_url` is none
 */
export function createDirectUpstream<Wish, Answer>(
  account: UpstreamAccount,
  context: UpstreamContext,
  credential: DirectCredential,
  wire: DirectWire<Wish, Answer>,
): DirectCapability<Wish, Answer> {
  const base = parseBaseUrl(account.base_url);
  const tools = wireTools(account, context);
  const post = async (params: Wish, request: DirectRequest, model: string, signal: AbortSignal): Promise<Answer> => {
    const { path, json, maxResponseBytes = RESPONSE_BYTES } = request;
    const response = await context.fetchUpstream({
      method: 'POST',
      url: base.origin + pathBelow(base, path),
      headers: credential,
      ...(account.headers && { ownHeaders: account.headers }),
      body: { kind: 'json', value: json },
      timeoutMs: context.timeouts.textFirstMs ?? FIRST_MS,
      maxResponseBytes,
      signal,
    });
    const { status, body } = response;
    if (status < 200 || status > 299) {
      throw new UpstreamRefusalError(status, refusalOf(wire.refusal(response), response, tools, model));
    }
    const read = wire.read(body, params, { model });
    if (read !== undefined) return read;
    // Some vendors tell errors with status 200.
    const told = wire.refusal(response);
    if (told.words !== undefined) {
      throw new UpstreamRefusalError(status, refusalOf(told, response, tools, model));
    }
    const what = 'The upstream answered something that is not understood.';
    throw new UpstreamRefusalError(502, new GatewayError('provider_error', what));
  };
  return {
    call: async (params, { model, signal, report }) => {
      const parts = wire.split?.parts(params) ?? [params];
      // All of them before anything is sent: what cannot be granted costs nothing.
      const calls = parts.map((part) => ({ part, request: wire.request(part, { model, report }) }));
      const [response, ...more] = await askInParts(calls, signal, ({ part, request }, either) =>
        post(part, request, model, either),
      );
      if (response === undefined) throw new Error('a wish has at least one part');
      return wire.split && more.length > 0 ? wire.split.join([response, ...more], parts) : response;
    },
  };
}
