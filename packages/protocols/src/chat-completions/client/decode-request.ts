import type { GenerationRequest, LossReport, TextFormat } from '@sluice/canonical';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { invalidField, JsonField } from '../../json/json-field.ts';
import { asNonEmptyString, isSet, type JsonObject } from '../../json/values.ts';
import { implySingleCall } from '../../text/single-call.ts';
import { CreateChatCompletionSchema, type ChatCompletionBody } from '../wire/schema.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeReasoningParams, otherExtras, REASONING_FIELDS } from './decode-reasoning-params.ts';
import { decodeToolChoice, decodeTools } from './decode-tools.ts';

/** Other fields that are never reported as dropped. `store` may be ignored, because the gateway never stores. */
const KNOWN = new Set([
  ...Object.keys(CreateChatCompletionSchema.shape),
  ...REASONING_FIELDS,
  'top_k',
  'store',
  'prompt_cache_options',
  'cache_control',
]);

/**
 * Decodes a chat completions request.
 * @throws GatewayError `invalid_request` with the field's path
 */
export function decodeRequest({ body, model, stream, tokenCodec, report }: DecodeInput): GenerationRequest {
  const fields = body as ChatCompletionBody; // validated by that schema
  for (const [field, value] of Object.entries(body)) {
    if (!KNOWN.has(field) && isSet(value)) report({ field, how: 'dropped' });
  }
  for (const field of otherExtras(body)) report({ field, how: 'dropped' });
  const tools = decodeTools(fields);
  const toolChoice = decodeToolChoice(fields);
  const isLegacy = tools.length > 0 && !isSet(fields.tools);
  const stop = (typeof fields.stop === 'string' ? [fields.stop] : (fields.stop ?? [])).filter((text) => text !== '');
  const topK = body['top_k'];

  const request: GenerationRequest = {
    protocol: 'chat-completions',
    model,
    stream,
    messages: decodeMessages(fields.messages, tokenCodec),
    tools,
    toolChoice,
    parallelToolCalls: fields.parallel_tool_calls ?? undefined,
    maxOutputTokens: positive(fields.max_completion_tokens ?? fields.max_tokens, 'max_tokens', report),
    temperature: fields.temperature ?? undefined,
    topP: fields.top_p ?? undefined,
    topK: typeof topK === 'number' && topK > 0 ? topK : undefined,
    seed: fields.seed ?? undefined,
    choices: fields.n ?? undefined,
    presencePenalty: fields.presence_penalty ?? undefined,
    frequencyPenalty: fields.frequency_penalty ?? undefined,
    logitBias: fields.logit_bias ?? undefined,
    topLogprobs: fields.logprobs === true ? (fields.top_logprobs ?? 0) : undefined,
    stop: stop.length > 0 ? stop : undefined,
    format: decodeFormat(new JsonField(fields.response_format, 'response_format')),
    verbosity: fields.verbosity ?? undefined,
    modalities: decodeModalities(fields.modalities, report),
    audio: fields.audio
      ? { format: asNonEmptyString(fields.audio['format']), voice: fields.audio['voice'] ?? undefined }
      : undefined,
    reasoning: decodeReasoningParams(body),
    cache: decodeCache(body, fields.prompt_cache_key ?? undefined),
    serviceTier: fields.service_tier ?? undefined,
    user: fields.safety_identifier ?? fields.user ?? undefined,
    metadata: fields.metadata ? decodeMetadata(fields.metadata) : undefined,
  };
  // `functions` predates parallel calls: its clients expect one call per response.
  return isLegacy && request.parallelToolCalls !== false ? implySingleCall(request) : request;
}

/** Some clients send -1 for "no limit". */
function positive(value: number | null | undefined, field: string, report: LossReport): number | undefined {
  if (!isSet(value)) return undefined;
  if (value > 0) return value;
  report({ field, how: 'dropped' });
  return undefined;
}

function decodeFormat(format: JsonField): TextFormat | undefined {
  if (!format.isSet) return undefined;
  const type = format.get('type');
  switch (type.value) {
    case undefined:
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return { type: 'json' };
    case 'json_schema': {
      const jsonSchema = format.get('json_schema');
      const schema = jsonSchema.get('schema');
      const strict = jsonSchema.get('strict').value;
      return {
        type: 'schema',
        name: jsonSchema.get('name').requireNonEmptyString(),
        schema: schema.isSet ? schema.object() : {},
        description: jsonSchema.get('description').nonEmptyString,
        strict: typeof strict === 'boolean' ? strict : undefined,
      };
    }
    default:
      throw type.invalid('must be one of `text`, `json_object`, `json_schema`');
  }
}

function decodeModalities(
  modalities: string[] | null | undefined,
  report: LossReport,
): GenerationRequest['modalities'] {
  const known: NonNullable<GenerationRequest['modalities']> = [];
  for (const kind of modalities ?? []) {
    if (kind === 'text' || kind === 'audio' || kind === 'image') known.push(kind);
    else report({ field: `modalities[${kind}]`, how: 'dropped' });
  }
  return known.length > 0 ? known : undefined;
}

function decodeCache(body: JsonObject, key: string | undefined): GenerationRequest['cache'] {
  const options = body['prompt_cache_options'];
  const mark = isRecord(options) && options['mode'] !== 'explicit' ? options : body['cache_control'];
  const auto = isRecord(mark) ? { ttl: asNonEmptyString(mark['ttl']) } : undefined;
  return key === undefined && !auto ? undefined : { key, auto };
}

function decodeMetadata(metadata: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => {
      if (typeof value !== 'string') throw invalidField(`metadata[${name}]`, 'must be a string');
      return [name, value];
    }),
  );
}
