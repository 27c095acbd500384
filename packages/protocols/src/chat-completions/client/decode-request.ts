import type { CacheMark, GenerationRequest, LossReport, TextFormat } from '@sluice/canonical';
import { implySingleCall } from '../../text/single-call.ts';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeReasoningParams, otherExtras, REASONING_FIELDS } from './decode-reasoning-params.ts';
import { decodeToolChoice, decodeTools } from './decode-tools.ts';
import { invalidField, requireName, requireObject } from '../wire/invalid-field.ts';
import { isGiven, textOf, type JsonObject } from '../wire/json.ts';
import { CreateChatCompletionSchema, type ChatCompletionBody } from '../wire/schema.ts';

/** Members that mean something here, beyond those of the schema; `store` is off with us, `stream_options` concerns framing. */
const KNOWN = new Set([
  ...Object.keys(CreateChatCompletionSchema.shape),
  ...REASONING_FIELDS,
  'top_k',
  'store',
  'prompt_cache_options',
  'cache_control',
]);

/**
 * Reads a chat completions request.
 * @throws GatewayError `invalid_request` naming the field's path
 */
export function decodeRequest({ body, model, stream, tokenCodec, report }: DecodeInput): GenerationRequest {
  const fields = body as ChatCompletionBody; // its top level has passed that very schema
  for (const [field, value] of Object.entries(body)) {
    if (!KNOWN.has(field) && isGiven(value)) report({ field, how: 'dropped' });
  }
  for (const field of otherExtras(body)) report({ field, how: 'dropped' });
  const tools = decodeTools(fields);
  const toolChoice = decodeToolChoice(fields);
  const isLegacy = tools.length > 0 && !isGiven(fields.tools);
  const limit = positive(fields.max_completion_tokens ?? fields.max_tokens, 'max_tokens', report);
  const stop = stopTexts(fields.stop);
  const format = decodeFormat(fields.response_format);
  const reasoning = decodeReasoningParams(body);
  const cache = decodeCache(body, fields.prompt_cache_key ?? undefined);
  const user = fields.safety_identifier ?? fields.user;
  const modalities = decodeModalities(fields.modalities, report);
  const topK = body['top_k'];

  const request: GenerationRequest = {
    protocol: 'chat-completions',
    model,
    stream,
    messages: decodeMessages(fields.messages, tokenCodec),
    tools,
    ...(toolChoice && { toolChoice }),
    ...pick('parallelToolCalls', fields.parallel_tool_calls),
    ...pick('maxOutputTokens', limit),
    ...pick('temperature', fields.temperature),
    ...pick('topP', fields.top_p),
    ...pick('topK', typeof topK === 'number' && topK > 0 ? topK : undefined),
    ...pick('seed', fields.seed),
    ...pick('choices', fields.n),
    ...pick('presencePenalty', fields.presence_penalty),
    ...pick('frequencyPenalty', fields.frequency_penalty),
    ...pick('logitBias', fields.logit_bias),
    ...(fields.logprobs === true && { topLogprobs: fields.top_logprobs ?? 0 }),
    ...(stop.length > 0 && { stop }),
    ...(format && { format }),
    ...pick('verbosity', fields.verbosity),
    ...(modalities && { modalities }),
    ...(isGiven(fields.audio) && { audio: decodeVoice(fields.audio) }),
    ...(reasoning && { reasoning }),
    ...(cache && { cache }),
    ...pick('serviceTier', fields.service_tier),
    ...pick('user', user),
    ...(isGiven(fields.metadata) && { metadata: decodeMetadata(fields.metadata) }),
  };
  // One answer held one call in the days of `functions`.
  return isLegacy && request.parallelToolCalls !== false ? implySingleCall(request) : request;
}

function pick<K extends string, T>(name: K, value: T | null | undefined): { [key in K]?: T } {
  // A computed key loses its literal type.
  return (isGiven(value) ? { [name]: value } : {}) as { [key in K]?: T };
}

/** Some clients send -1 for "no limit". */
function positive(value: number | null | undefined, field: string, report: LossReport): number | undefined {
  if (!isGiven(value)) return undefined;
  if (value > 0) return value;
  report({ field, how: 'dropped' });
  return undefined;
}

function stopTexts(stop: string | string[] | null | undefined): string[] {
  const texts = typeof stop === 'string' ? [stop] : (stop ?? []);
  return texts.filter((text) => text !== '');
}

function decodeFormat(value: JsonObject | null | undefined): TextFormat | undefined {
  if (!isGiven(value)) return undefined;
  switch (value['type']) {
    case undefined:
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return { type: 'json' };
    case 'json_schema': {
      const path = 'response_format[json_schema]';
      const given = requireObject(value['json_schema'], path);
      const description = textOf(given['description']);
      return {
        type: 'schema',
        name: requireName(given['name'], `${path}[name]`),
        schema: isGiven(given['schema']) ? requireObject(given['schema'], `${path}[schema]`) : {},
        ...(description !== undefined && { description }),
        ...(typeof given['strict'] === 'boolean' && { strict: given['strict'] }),
      };
    }
    default:
      throw invalidField('response_format[type]', 'must be text, json_object or json_schema');
  }
}

function decodeModalities(words: string[] | null | undefined, report: LossReport): GenerationRequest['modalities'] {
  const known = (words ?? []).filter((word) => word === 'text' || word === 'audio' || word === 'image');
  for (const word of words ?? []) {
    if (!known.some((kind) => kind === word)) report({ field: `modalities[${word}]`, how: 'dropped' });
  }
  return known.length > 0 ? known : undefined;
}

function decodeVoice(audio: JsonObject): NonNullable<GenerationRequest['audio']> {
  const format = textOf(audio['format']);
  return { ...(format !== undefined && { format }), ...(isGiven(audio['voice']) && { voice: audio['voice'] }) };
}

function decodeCache(body: JsonObject, key: string | undefined): GenerationRequest['cache'] {
  const options = body['prompt_cache_options'];
  const mark = isRecord(options) && options['mode'] !== 'explicit' ? options : body['cache_control'];
  const ttl = isRecord(mark) ? textOf(mark['ttl']) : undefined;
  const auto: CacheMark | undefined = isRecord(mark) ? (ttl === undefined ? {} : { ttl }) : undefined;
  if (key === undefined && !auto) return undefined;
  return { ...(key !== undefined && { key }), ...(auto && { auto }) };
}

function decodeMetadata(metadata: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => {
      if (typeof value !== 'string') throw invalidField(`metadata[${name}]`, 'must be a string');
      return [name, value];
    }),
  );
}
