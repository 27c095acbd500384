import type { Completion, Finish, ToolCall } from '../../text/completion.ts';
import { chunksOf } from '../../text/word-tokens.ts';
import { SERVER_ERROR } from '../openai-style/openai-error.ts';

const FINISH: Record<Finish, string> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  refusal: 'stop',
  filter: 'content_filter',
};

export interface ChatHead {
  id: string;
  /** In Unix seconds. */
  created: number;
  model: string;
  choices: number;
  newCallId: () => string;
  /** Whether the client sent the deprecated field `functions`, which `tools` has replaced. */
  isLegacy: boolean;
}

function usageOf({ tokens }: Completion, choices: number) {
  const output = tokens.output * choices;
  return {
    prompt_tokens: tokens.input,
    completion_tokens: output,
    total_tokens: tokens.input + output,
    prompt_tokens_details: { cached_tokens: tokens.cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: tokens.reasoning * choices,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function encodeCall(call: ToolCall, id: string) {
  return call.kind === 'custom'
    ? { id, type: 'custom', custom: { name: call.name, input: call.input } }
    : { id, type: 'function', function: { name: call.name, arguments: call.input } };
}

function reasoningOf({ reasoning, redacted }: Completion): string {
  return redacted ? '' : (reasoning ?? '');
}

function finishOf({ finish }: Completion, { isLegacy }: ChatHead): string {
  return isLegacy && finish === 'tool_calls' ? 'function_call' : FINISH[finish];
}

function callsOf({ calls }: Completion, { isLegacy, newCallId }: ChatHead) {
  if (calls.length === 0) return {};
  if (isLegacy) return { function_call: { name: calls[0]?.name, arguments: calls[0]?.input } };
  return { tool_calls: calls.map((call) => encodeCall(call, newCallId())) };
}

function messageOf(response: Completion, head: ChatHead) {
  const reasoning = reasoningOf(response);
  const refused = response.finish === 'refusal';
  return {
    role: 'assistant',
    content: response.calls.length > 0 || refused ? null : response.text,
    refusal: refused ? response.text : null,
    annotations: [],
    reasoning_content: reasoning || undefined,
    ...callsOf(response, head),
  };
}

export function chatCompletion(response: Completion, head: ChatHead) {
  const { id, created, model, choices } = head;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      message: messageOf(response, head),
      logprobs: null,
      finish_reason: finishOf(response, head),
    })),
    usage: usageOf(response, choices),
    service_tier: 'default',
    system_fingerprint: null,
  };
}

/** Yields all deltas except the first (the role) and the last (the finish reason). */
function* deltasOf(response: Completion, { isLegacy, newCallId }: ChatHead): Generator<object> {
  for (const segment of chunksOf(reasoningOf(response))) yield { reasoning_content: segment };
  const field = response.finish === 'refusal' ? 'refusal' : 'content';
  for (const segment of chunksOf(response.text)) yield { [field]: segment };
  for (const [index, call] of response.calls.entries()) {
    const { input, ...empty } = call;
    if (isLegacy) {
      yield { function_call: { name: call.name, arguments: '' } };
      for (const segment of chunksOf(input)) yield { function_call: { arguments: segment } };
      continue;
    }
    yield { tool_calls: [{ index, ...encodeCall({ ...empty, input: '' }, newCallId()) }] };
    for (const segment of chunksOf(input)) {
      const part = call.kind === 'custom' ? { custom: { input: segment } } : { function: { arguments: segment } };
      yield { tool_calls: [{ index, ...part }] };
    }
  }
}

/** The last frame is `[DONE]`. If requested, an additional chunk contains the usage. */
export function* chatChunks(response: Completion, head: ChatHead, includeUsage: boolean): Generator<string> {
  const { id, created, model, choices } = head;
  const common = {
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: null,
  };
  const frame = (list: object[], usage: unknown = null) =>
    `data: ${JSON.stringify({ ...common, choices: list, ...(includeUsage && { usage }) })}\n\n`;
  const chunk = (index: number, delta: object, finish: string | null) =>
    frame([{ index, delta, logprobs: null, finish_reason: finish }]);
  for (let index = 0; index < choices; index += 1) {
    const content = response.calls.length > 0 ? null : '';
    yield chunk(index, { role: 'assistant', content, refusal: null }, null);
    for (const delta of deltasOf(response, head)) yield chunk(index, delta, null);
    yield chunk(index, {}, finishOf(response, head));
  }
  if (includeUsage) yield frame([], usageOf(response, choices));
  yield 'data: [DONE]\n\n';
}

export function chatFailure(): string {
  const error = { message: SERVER_ERROR, type: 'server_error', param: null, code: null };
  return `data: ${JSON.stringify({ error })}\n\n`;
}
