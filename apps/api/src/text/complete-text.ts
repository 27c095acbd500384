import { GatewayError, type Loss, type Usage } from '@sluice/canonical';
import {
  addUsage,
  chatCompletionsProtocol,
  type CompletionContext,
  CompletionsTopLevel,
  createCompletionStreamEncoder,
  type DecodedCompletion,
  decodeCompletion,
  encodeCompletion,
  readTextRequest,
  type TextProtocol,
  type TextRequest,
} from '@sluice/protocols';
import type { GenerationDeps, TextCall } from '../generation/generation-deps.ts';
import { meterText } from '../generation/meter-text.ts';
import { orderTargets, type TargetOrder } from '../generation/order-targets.ts';
import { bodyOf, planRequest, type TextPlan } from '../generation/plan-text.ts';
import { type OpenedResponse, requestCompletion, servedOf } from '../generation/request-completion.ts';
import { reserveText } from '../generation/reserve-text.ts';
import type { Outcome } from '../generation/send-stream.ts';
import { serveText } from '../generation/serve-text.ts';
import type { StreamFeed } from '../generation/stream-feed.ts';
import { createTextContext } from '../generation/text-context.ts';
import { abortReason } from '../http/abort-requests.ts';
import { openEventStream } from '../http/event-stream.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import { servedFields } from '../routing/record-served.ts';
import { lossHeaders, servedHeaders } from '../routing/served-headers.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { completionTokens } from './completion-tokens.ts';
import { drainChatStream } from './drain-chat-stream.ts';

/** The legacy protocol differs from chat completions only in its request. */
const completionsProtocol: TextProtocol = { ...chatCompletionsProtocol, topLevel: CompletionsTopLevel };

/** Each prompt is a separate upstream call. */
const MAX_PROMPTS = 128;
const CONCURRENCY = 8;

/**
 * Serves `POST /v1/completions`. The request is relayed if an upstream supports the endpoint. Otherwise each prompt
 * becomes a chat call.
 * @throws GatewayError if nothing has been sent yet
 */
export async function completeText(deps: GenerationDeps, call: TextCall): Promise<unknown> {
  const request = readTextRequest(completionsProtocol, bodyOf(call));
  const plan = planRequest(deps, call, request);
  const reserve = () => reserveText(deps, call, plan, (outputTokens) => completionTokens(request, outputTokens));
  if (plan.targets[0]?.capability.completions) {
    await reserve();
    const targets = plan.targets.filter(({ capability }) => capability.completions);
    return serveText(deps, call, { ...plan, targets }, { operation: 'complete' });
  }
  const completion = decodeCompletion(request.body());
  const { length } = completion.prompts;
  if (length > MAX_PROMPTS) {
    const what = `\`prompt\` must have at most ${MAX_PROMPTS} texts; got ${length}.`;
    throw new GatewayError('invalid_request', what, { param: 'prompt' });
  }
  await reserve();
  const context: CompletionContext = {
    completion,
    model: request.model,
    createdAt: Math.floor(deps.now() / 1_000),
    newId: deps.newId,
  };
  const order = orderTargets(deps, call, plan);
  const cost: Cost = {};
  const openPrompt = (prompt: string) =>
    openChat(deps, call, plan, { order, request: chatRequest(completion, prompt), cost });
  return request.stream
    ? streamCompletion(deps.keepAliveMs, call, request, context, openPrompt)
    : sendCompletion(call, context, openPrompt);
}

interface OpenedPrompt {
  opened: OpenedResponse;
  /** Must be called when the response ends. */
  onEnd: (outcome: Outcome) => void;
}

type OpenPrompt = (prompt: string) => Promise<OpenedPrompt>;

interface Cost {
  sum?: Usage;
}

function chatRequest(completion: DecodedCompletion, prompt: string): TextRequest {
  return readTextRequest(chatCompletionsProtocol, Buffer.from(JSON.stringify(completion.request(prompt))));
}

async function openChat(
  deps: GenerationDeps,
  call: TextCall,
  { resolvedModel }: TextPlan,
  { order, request, cost }: { order: TargetOrder; request: TextRequest; cost: Cost },
): Promise<OpenedPrompt> {
  const context = createTextContext(deps, call, {
    request,
    strict: call.apiKey.strict || resolvedModel.model.strict,
    headers: {},
  });
  const opened = await withFallback(
    order.targets,
    (routed, trace) => requestCompletion(deps, context, routed, trace),
    deps.fallback(call),
  );
  order.onServed(opened.routed);
  call.request.served ??= {
    ...servedFields({ ...servedOf(opened), relayed: false }),
    usage: () => cost.sum,
  };
  const onEnd = (outcome: Outcome): void => {
    if (outcome.usage) cost.sum = addUsage(cost.sum, outcome.usage);
    meterText(deps, opened, outcome, call);
  };
  return { opened, onEnd };
}

async function sendCompletion({ reply }: TextCall, context: CompletionContext, openPrompt: OpenPrompt) {
  const { prompts } = context.completion;
  const responses: unknown[] = [];
  for (let at = 0; at < prompts.length; at += CONCURRENCY) {
    // Waits for all calls, because successful ones are charged even if another one fails.
    const results = await Promise.allSettled(prompts.slice(at, at + CONCURRENCY).map(openPrompt));
    const completed = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const { opened, onEnd } of completed) {
      const { body = '{}', usage } = opened.buffered ?? {};
      onEnd({ usage });
      responses.push(JSON.parse(Buffer.from(body).toString()));
    }
    const failed = results.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    const [first] = completed;
    if (at === 0 && first) void reply.headers(servedHeaders(servedOf(first.opened)));
  }
  return reply.send(encodeCompletion(responses, context));
}

/** Streams one prompt after the other, so that the client's back-pressure reaches the upstream. */
async function streamCompletion(
  keepAliveMs: number,
  { endpoint, reply, signal, request: { charge } }: TextCall,
  request: TextRequest,
  context: CompletionContext,
  openPrompt: OpenPrompt,
): Promise<unknown> {
  const { encodeError } = endpoint.protocol;
  const encoder = createCompletionStreamEncoder({ ...context, includesUsage: includesUsage(request), encodeError });
  const contentType = 'text/event-stream; charset=utf-8';
  const stream = openEventStream(reply, { contentType, keepAliveMs, keepAlive: () => encoder.keepAlive() });
  let error: GatewayError | undefined;
  let current: StreamFeed | undefined;
  const losses: Loss[] = [];
  stream.onDrain(() => current?.resume());
  for (const [index, prompt] of context.completion.prompts.entries()) {
    try {
      const { opened, onEnd } = await openPrompt(prompt);
      current = feedOf(opened);
      stream.begin(servedHeaders(servedOf(opened)), 'x-sluice-dropped');
      error = await drainChatStream(current, stream, (chunk) => encoder.push(index, chunk), charge);
      losses.push(...(current.writer.progress.losses ?? []));
      onEnd({ usage: current.writer.progress.usage, failed: error });
    } catch (failure) {
      if (!stream.hasStarted) {
        stream.cancel();
        throw failure;
      }
      error = gatewayErrorOf(failure);
    }
    if (error) break;
  }
  if (error) reply.request.errorCode = error.code;
  stream.write(error ? encoder.fail(abortReason(signal) ?? error) : encoder.end(), 'utf8');
  stream.end([], lossHeaders(losses));
  return reply;
}

function includesUsage(request: TextRequest): boolean {
  const options = request.member('stream_options');
  return (
    typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true
  );
}

function feedOf({ feed }: OpenedResponse): StreamFeed {
  if (!feed) throw new Error('a streamed response has a feed');
  return feed;
}
