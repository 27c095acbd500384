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
  /** Unix seconds. */
  created: number;
  model: string;
  choices: number;
  newCallId: () => string;
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

function messageOf(response: Completion, newCallId: () => string) {
  const reasoning = reasoningOf(response);
  const refused = response.finish === 'refusal';
  return {
    role: 'assistant',
    content: response.calls.length > 0 || refused ? null : response.text,
    refusal: refused ? response.text : null,
    annotations: [],
    reasoning_content: reasoning || undefined,
    tool_calls: response.calls.length > 0 ? response.calls.map((call) => encodeCall(call, newCallId())) : undefined,
  };
}

export function chatCompletion(response: Completion, { id, created, model, choices, newCallId }: ChatHead) {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      message: messageOf(response, newCallId),
      logprobs: null,
      finish_reason: FINISH[response.finish],
    })),
    usage: usageOf(response, choices),
    service_tier: 'default',
    system_fingerprint: null,
  };
}

/** Without the first delta (the role) and the last (the finish reason). */
function* deltasOf(response: Completion, newCallId: () => string): Generator<object> {
  for (const segment of chunksOf(reasoningOf(response))) yield { reasoning_content: segment };
  const field = response.finish === 'refusal' ? 'refusal' : 'content';
  for (const segment of chunksOf(response.text)) yield { [field]: segment };
  for (const [index, call] of response.calls.entries()) {
    const { input, ...empty } = call;
    yield { tool_calls: [{ index, ...encodeCall({ ...empty, input: '' }, newCallId()) }] };
    for (const segment of chunksOf(input)) {
      const part = call.kind === 'custom' ? { custom: { input: segment } } : { function: { arguments: segment } };
      yield { tool_calls: [{ index, ...part }] };
    }
  }
}

/** Ends with `[DONE]`. Usage is sent in an extra chunk if requested. */
export function* chatChunks(response: Completion, head: ChatHead, includeUsage: boolean): Generator<string> {
  const { id, created, model, choices, newCallId } = head;
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
    for (const delta of deltasOf(response, newCallId)) yield chunk(index, delta, null);
    yield chunk(index, {}, FINISH[response.finish]);
  }
  if (includeUsage) yield frame([], usageOf(response, choices));
  yield 'data: [DONE]\n\n';
}

export function chatFailure(): string {
  const error = { message: SERVER_ERROR, type: 'server_error', param: null, code: null };
  return `data: ${JSON.stringify({ error })}\n\n`;
}
