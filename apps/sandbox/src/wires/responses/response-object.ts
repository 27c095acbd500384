import type { Completion } from '../../text/completion.ts';
import type { InputItem } from './input-item.ts';
import type { ResponsesRequest } from './responses-request.ts';

export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

export function usageOf({ tokens }: Pick<Completion, 'tokens'>) {
  return {
    input_tokens: tokens.input,
    input_tokens_details: { cached_tokens: tokens.cached, cache_write_tokens: 0 },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: tokens.reasoning },
    total_tokens: tokens.input + tokens.output,
  };
}

export interface ResponseState {
  id: string;
  /** In Unix seconds. */
  createdAt: number;
  status: ResponseStatus;
  output: InputItem[];
  /** Undefined until the response is complete. */
  response?: Completion;
  error?: { code: string; message: string };
}

export function responseObject(request: ResponsesRequest, state: ResponseState) {
  const { id, createdAt, status, output, response, error = null } = state;
  const reason = response?.finish === 'filter' ? 'content_filter' : 'max_output_tokens';
  return {
    id,
    object: 'response' as const,
    created_at: createdAt,
    completed_at: status === 'completed' ? createdAt : null,
    status,
    background: request.background ?? false,
    error,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model: request.model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    presence_penalty: 0,
    frequency_penalty: 0,
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: request.reasoning?.summary ?? null },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: 'default',
    store: request.store ?? true,
    temperature: request.temperature ?? 1,
    text: { format: request.text?.format ?? { type: 'text' }, verbosity: request.text?.verbosity ?? 'medium' },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? 'disabled',
    usage: response === undefined ? null : usageOf(response),
    user: request.user ?? null,
    metadata: request.metadata ?? {},
  };
}

export type ResponseObject = ReturnType<typeof responseObject>;
