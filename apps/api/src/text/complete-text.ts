import { GatewayError, type Usage } from '@sluice/canonical';
import {
  addUsage,
  chatCompletionsProtocol,
  type CompletionContext,
  CompletionsTopLevel,
  createCompletionStreamEncoder,
  createSseParser,
  type DecodedCompletion,
  decodeCompletion,
  encodeCompletion,
  readTextRequest,
  type TextProtocol,
  type TextRequest,
} from '@sluice/protocols';
import type { Charge } from '../metering/charge.ts';
import { abortReason } from '../http/abort-requests.ts';
import { type EventStream, openEventStream } from '../http/event-stream.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { type Outcome, servedHeaders } from '../generation/respond-to-client.ts';
import { completionTokens } from './completion-tokens.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { meterText } from '../generation/meter-text.ts';
import { lostFields, type OpenedResponse, requestCompletion } from '../generation/request-completion.ts';
import { orderTargets, type TargetOrder } from '../generation/order-targets.ts';
import { bodyOf, planRequest, type TextPlan } from '../generation/plan-text.ts';
import { serveText } from '../generation/serve-text.ts';
import type { StreamFeed } from '../generation/stream-feed.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';
import { createTextContext } from '../generation/text-context.ts';

/** The legacy protocol is chat's in all but the request's shape. */
const completionsProtocol: TextProtocol = { ...chatCompletionsProtocol, topLevel: CompletionsTopLevel };

/** Each prompt is a call of its own, and all are answered together. */
const MAX_PROMPTS = 128;
/** Prompts of one request that are asked for at the same time. */
const SIDE_BY_SIDE = 8;

/**
 * `POST /v1/completions`: relayed where an upstream has the call, else one chat call for each prompt.
 * @throws GatewayError while nothing was sent
 */
export async function completeText(deps: GenerationDeps, call: TextCall): Promise<unknown> {
  const request = readTextRequest(completionsProtocol, bodyOf(call));
  const plan = planRequest(deps, call, request);
  const enter = () => reserveText(deps, call, plan, (outputTokens) => completionTokens(request, outputTokens));
  if (plan.targets[0]?.capability.completions) {
    await enter();
    const targets = plan.targets.filter(({ capability }) => capability.completions);
    return serveText(deps, call, { ...plan, targets }, { operation: 'complete' });
  }
  const completion = decodeCompletion(request.body());
  if (completion.prompts.length > MAX_PROMPTS) {
    throw new GatewayError('invalid_request', `prompt may hold at most ${MAX_PROMPTS} texts.`, { param: 'prompt' });
  }
  await enter();
  const context: CompletionContext = {
    completion,
    model: request.model,
    createdAt: Math.floor(deps.now() / 1_000),
    newId: deps.newId,
  };
  const order = orderTargets(deps, call, plan);
  const cost: Cost = {};
  const ask = (prompt: string) =>
    requestChat(deps, call, plan, { order, request: chatRequest(completion, prompt), cost });
  return request.stream
    ? streamCompletion(deps, call, request, context, ask)
    : sendCompletion(deps, call, context, ask);
}

/** One prompt's answer. */
interface Asked {
  opened: OpenedResponse;
  /** To be told once it is over. */
  over: (outcome: Outcome) => void;
}

type Ask = (prompt: string) => Promise<Asked>;

/** What all prompts together have used so far. */
interface Cost {
  sum?: Usage;
}

function chatRequest(completion: DecodedCompletion, prompt: string): TextRequest {
  return readTextRequest(chatCompletionsProtocol, Buffer.from(JSON.stringify(completion.request(prompt))));
}

async function requestChat(
  deps: GenerationDeps,
  call: TextCall,
  { found }: TextPlan,
  { order, request, cost }: { order: TargetOrder; request: TextRequest; cost: Cost },
): Promise<Asked> {
  const { signal } = call;
  const textContext = createTextContext(deps, {
    request,
    owner: call.apiKey.name,
    strict: call.apiKey.strict || found.model.strict,
    headers: {},
    charge: call.request.charge,
    signal,
  });
  const opened = await withFallback(
    order.targets,
    (routed) => requestCompletion(deps, textContext, routed),
    deps.fallback(signal),
  );
  order.served(opened.routed);
  const { target } = opened.routed;
  const dropped = lostFields(opened.exchange.losses);
  call.request.served ??= {
    upstream: target.upstream,
    upstream_model: target.model,
    relayed: false,
    usage: () => cost.sum,
    ...(dropped.length > 0 && { dropped }),
  };
  const over = (outcome: Outcome): void => {
    if (outcome.usage) cost.sum = addUsage(cost.sum, outcome.usage);
    meterText(deps, opened, outcome, textContext);
  };
  return { opened, over };
}

async function sendCompletion(deps: GenerationDeps, { reply }: TextCall, context: CompletionContext, ask: Ask) {
  const { prompts } = context.completion;
  const responses: unknown[] = [];
  for (let at = 0; at < prompts.length; at += SIDE_BY_SIDE) {
    // All of them are waited for: what some have used counts although another fails.
    const asked = await Promise.allSettled(prompts.slice(at, at + SIDE_BY_SIDE).map(ask));
    const answered = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const { opened, over } of answered) {
      const { body = '{}', usage } = opened.whole ?? {};
      over(usage ? { usage } : {});
      responses.push(JSON.parse(Buffer.from(body).toString()));
    }
    const failed = asked.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    const [first] = answered;
    if (at === 0 && first) void reply.headers(servedHeaders(first.opened));
  }
  return reply.send(encodeCompletion(responses, context));
}

/** One prompt after the other, so that a slow client holds the upstream back and nothing piles up here. */
async function streamCompletion(
  deps: GenerationDeps,
  { endpoint, reply, signal, request: { charge } }: TextCall,
  request: TextRequest,
  context: CompletionContext,
  ask: Ask,
): Promise<unknown> {
  const options = request.member('stream_options');
  const includesUsage =
    typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true;
  const encodeError = endpoint.protocol.encodeError;
  const encoder = createCompletionStreamEncoder({ ...context, includesUsage, encodeError });
  const { keepAliveMs } = deps;
  const contentType = 'text/event-stream; charset=utf-8';
  const stream = openEventStream(reply, { contentType, keepAliveMs, keepAlive: () => encoder.keepAlive() });
  let error: GatewayError | undefined;
  let current: StreamFeed | undefined;
  stream.onDrain(() => current?.resume());
  for (const [index, prompt] of context.completion.prompts.entries()) {
    try {
      const { opened, over } = await ask(prompt);
      current = feedOf(opened);
      stream.begin(servedHeaders(opened));
      error = await drain(current, stream, (chunk) => encoder.push(index, chunk), charge);
      const { usage } = current.writer.progress;
      over({ ...(usage && { usage }), ...(error && { failed: error }) });
    } catch (failure) {
      if (!stream.isBegun) {
        stream.cancel();
        throw failure;
      }
      error = gatewayErrorOf(failure);
    }
    if (error) break;
  }
  stream.write(error ? encoder.fail(abortReason(signal) ?? error) : encoder.end(), 'utf8');
  stream.end();
  return reply;
}

/** Writes one chat stream's chunks as what `encode` makes of them. @returns why it broke off, if it did */
function drain(
  feed: StreamFeed,
  stream: EventStream,
  encode: (chunk: unknown) => string,
  charge: Charge | undefined,
): Promise<GatewayError | undefined> {
  const { promise, resolve } = Promise.withResolvers<GatewayError | undefined>();
  const parser = createSseParser();
  feed.feed({
    text: (text, encoding) => {
      charge?.sent(text);
      const frames = parser.push(Buffer.from(text, encoding)).filter(({ data }) => data !== '[DONE]');
      const written = frames.map(({ data }) => encode(JSON.parse(data))).join('');
      return written === '' || stream.write(written, 'utf8');
    },
    end: () => resolve(undefined),
    fail: (error) => {
      charge?.interrupted();
      resolve(error);
    },
  });
  return promise;
}

function feedOf({ feed }: OpenedResponse): StreamFeed {
  if (!feed) throw new Error('a streamed answer has a feed');
  return feed;
}
