import type { GenerationRequest, LossReport, TextFormat } from '@sluice/canonical';
import type { DecodeInput } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { invalidField, JsonField } from '../../json/json-field.ts';
import { reportUnknownFields } from '../../losses/unknown-fields.ts';
import { asNonEmptyString, isSet, type JsonObject } from '../../json/values.ts';
import { implySingleCall } from '../../text/single-call.ts';
import type { ChatCompletionBody } from '../wire/schema.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeReasoningParams, otherExtras } from './decode-reasoning-params.ts';
import { decodeToolChoice, decodeTools } from './decode-tools.ts';
import { KNOWN_FIELDS } from './known-fields.ts';

/**
 * Decodes a chat completions request.
 * @throws GatewayError `invalid_request` with the field's path
 */
export function decodeRequest({ body, model, stream, tokenCodec, report }: DecodeInput): GenerationRequest {
  const fields = body as ChatCompletionBody; // The cast is safe because the schema validated the body.
  reportUnknownFields(body, KNOWN_FIELDS, report);
  for (const field of otherExtras(body)) report({ field, how: 'dropped' });
  reportReplaced(fields, report);
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
    cache: decodeCache(body, fields.prompt_cache_key ?? undefined, report),
    serviceTier: fields.service_tier ?? undefined,
    user: fields.safety_identifier ?? fields.user ?? undefined,
    metadata: fields.metadata ? decodeMetadata(fields.metadata) : undefined,
  };
  // Clients that send `functions` predate parallel calls and expect at most one call per response.
  return isLegacy && request.parallelToolCalls !== false ? implySingleCall(request) : request;
}

/** Reports fields that another field replaces or that have no effect without it. */
function reportReplaced(fields: ChatCompletionBody, report: LossReport): void {
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, user, safety_identifier: userId } = fields;
  const unused = {
    max_tokens: isSet(maxTokens) && isSet(maxCompletionTokens) && maxTokens !== maxCompletionTokens,
    user: isSet(user) && isSet(userId) && user !== userId,
    top_logprobs: isSet(fields.top_logprobs) && fields.top_logprobs > 0 && fields.logprobs !== true,
    function_call: isSet(fields.function_call) && isSet(fields.tool_choice),
    audio: isSet(fields.audio) && fields.modalities?.includes('audio') !== true,
  };
  for (const [field, isUnused] of Object.entries(unused)) if (isUnused) report({ field, how: 'dropped' });
}

/** Some clients send -1 to mean "no limit". */
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
      throw type.invalid('must be text, json_object, or json_schema');
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

function decodeCache(body: JsonObject, key: string | undefined, report: LossReport): GenerationRequest['cache'] {
  const options = body['prompt_cache_options'];
  if (isRecord(options) && options['mode'] === 'explicit') report({ field: 'prompt_cache_options', how: 'dropped' });
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
