import { type DirectCall, type DirectCapability, GatewayError, UpstreamRefusalError } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
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
  /** Longest answer that is read, bytes; default {@link ANSWER_BYTES}. */
  maxAnswerBytes?: number;
}

/** How a vendor spells one kind of wish whose answer is JSON. Touches no network. */
export interface DirectWire<Wish, Answer> {
  /** @throws GatewayError for what the vendor cannot do */
  request(wish: Wish, call: Pick<DirectCall, 'model' | 'report'>): DirectRequest;
  /** Reads a success. Undefined: it is not understood. @throws GatewayError when it is not what was wished for */
  read(body: unknown, wish: Wish, call: Pick<DirectCall, 'model'>): Answer | undefined;
  /** What a refusal says. */
  refusal(answer: UpstreamAnswer): WireRefusal;
  /** For a vendor that takes less in one call than a wish may have. Absent: every wish is one call. */
  split?: WishSplit<Wish, Answer>;
}

/** How a wish is made into several and their answers into one. */
export interface WishSplit<Wish, Answer> {
  /** At least one; each is asked for by a call of its own. */
  parts(wish: Wish): readonly Wish[];
  /** @param answers of the parts, in their order; more than one */
  join(answers: readonly Answer[], parts: readonly Wish[]): Answer;
}

/** The credential of each call; none where the account has no key. */
export type DirectCredential = Partial<Record<SendableHeader, string>>;

const ANSWER_BYTES = 64 * 1024 * 1024;
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
  const post = async (wish: Wish, request: DirectRequest, model: string, signal: AbortSignal): Promise<Answer> => {
    const { path, json, maxAnswerBytes = ANSWER_BYTES } = request;
    const answer = await context.fetchUpstream({
      method: 'POST',
      url: base.origin + pathBelow(base, path),
      headers: credential,
      ...(account.headers && { ownHeaders: account.headers }),
      body: { kind: 'json', value: json },
      timeoutMs: context.timeouts.textFirstMs ?? FIRST_MS,
      maxAnswerBytes,
      signal,
    });
    const { status, body } = answer;
    if (status < 200 || status > 299) {
      throw new UpstreamRefusalError(status, refusalOf(wire.refusal(answer), answer, tools, model));
    }
    const read = wire.read(body, wish, { model });
    if (read !== undefined) return read;
    // Some vendors tell errors with status 200.
    const told = wire.refusal(answer);
    if (told.words !== undefined) {
      throw new UpstreamRefusalError(status, refusalOf(told, answer, tools, model));
    }
    const what = 'The upstream answered something that is not understood.';
    throw new UpstreamRefusalError(502, new GatewayError('provider_error', what));
  };
  return {
    call: async (wish, { model, signal, report }) => {
      const parts = wire.split?.parts(wish) ?? [wish];
      // All of them before anything is sent: what cannot be granted costs nothing.
      const calls = parts.map((part) => ({ part, request: wire.request(part, { model, report }) }));
      const [answer, ...more] = await askInParts(calls, signal, ({ part, request }, either) =>
        post(part, request, model, either),
      );
      if (answer === undefined) throw new Error('a wish has at least one part');
      return wire.split && more.length > 0 ? wire.split.join([answer, ...more], parts) : answer;
    },
  };
}
