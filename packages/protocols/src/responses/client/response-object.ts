import type { Usage } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeUsage, type ResponsesUsage } from '../wire/usage.ts';
import { asArray, asNumber, asObject, asString, type JsonObject } from '../../json/values.ts';

export type ResponseStatus = 'completed' | 'failed' | 'in_progress' | 'incomplete' | 'queued' | 'cancelled';

/** All times are in Unix seconds. */
export interface ResponseParts {
  id: string;
  createdAt: number;
  /** The requested model. */
  model: string;
  status: ResponseStatus;
  /** The request body as received. The response repeats most of it. */
  body: JsonObject;
  output?: readonly JsonObject[];
  usage?: Usage;
  completedAt?: number;
  error?: { code: string; message: string };
  incompleteReason?: 'max_output_tokens' | 'content_filter';
  serviceTier?: string;
}

export interface ResponseObject extends JsonObject {
  id: string;
  object: 'response';
  created_at: number;
  status: ResponseStatus;
  model: string;
  output: readonly JsonObject[];
  usage: ResponsesUsage | null;
}

/** The response fields that change during generation. */
export type ResponseState = Omit<ResponseParts, 'id' | 'createdAt' | 'model' | 'body'>;

export function responseIdOf({ responseId, newId }: ResponseContext): string {
  return responseId ?? newId('resp_');
}

export function responseInState(context: ResponseContext, id: string, state: ResponseState): ResponseObject {
  const { request, body, createdAt } = context;
  return responseObject({ id, createdAt, model: request.model, body, ...state });
}

/**
 * Encodes a response with every field that Open Responses requires (`ResponseResource.json`, April 2026), using the
 * client's values or the defaults.
 */
export function responseObject(parts: ResponseParts): ResponseObject {
  const { id, createdAt, model, status, body, output = [], usage } = parts;
  const text = asObject(body['text']);
  const reasoning = asObject(body['reasoning']);
  return {
    id,
    object: 'response',
    created_at: createdAt,
    completed_at: parts.completedAt ?? null,
    status,
    incomplete_details: parts.incompleteReason === undefined ? null : { reason: parts.incompleteReason },
    error: parts.error ?? null,
    model,
    previous_response_id: asString(body['previous_response_id']) ?? null,
    instructions: asString(body['instructions']) ?? null,
    output,
    usage: usage ? encodeUsage(usage) : null,
    tools: asArray(body['tools']).map(repeatTool),
    tool_choice: body['tool_choice'] ?? 'auto',
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    text: { ...text, format: text?.['format'] ?? { type: 'text' } },
    reasoning: { ...reasoning, effort: reasoning?.['effort'] ?? null, summary: reasoning?.['summary'] ?? null },
    truncation: asString(body['truncation']) ?? 'disabled',
    temperature: asNumber(body['temperature']) ?? 1,
    top_p: asNumber(body['top_p']) ?? 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: asNumber(body['top_logprobs']) ?? 0,
    max_output_tokens: asNumber(body['max_output_tokens']) ?? null,
    max_tool_calls: asNumber(body['max_tool_calls']) ?? null,
    store: body['store'] ?? true,
    background: body['background'] ?? false,
    service_tier: parts.serviceTier ?? asString(body['service_tier']) ?? 'default',
    metadata: asObject(body['metadata']) ?? {},
    user: asString(body['user']) ?? null,
    safety_identifier: asString(body['safety_identifier']) ?? null,
    prompt_cache_key: asString(body['prompt_cache_key']) ?? null,
    access_programs: null,
    ...repeatConversation(body['conversation']),
  };
}

/** Optional fields of a function are null in a response. */
function repeatTool(tool: unknown): unknown {
  if (!isRecord(tool) || tool['type'] !== 'function') return tool;
  const { description = null, parameters = null, strict = null } = tool;
  return { ...tool, description, parameters, strict };
}

function repeatConversation(conversation: unknown): JsonObject {
  if (typeof conversation === 'string') return { conversation: { id: conversation } };
  return isRecord(conversation) ? { conversation } : {};
}
