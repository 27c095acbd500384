import { EFFORTS, type Effort, type GenerationRequest, type Reasoning, type TextFormat } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import type { JsonField } from '../../json/json-field.ts';
import { asArray, asNumber, asObject, asString, type JsonObject, objectOrEmpty } from '../../json/values.ts';

/** Reasoning is always included. */
const INCLUDED = new Set<unknown>(['message.output_text.logprobs', 'reasoning.encrypted_content']);

/** @param drop called with each field that has no equivalent */
export function decodeSettings(body: JsonObject, drop: (field: string) => void): Partial<GenerationRequest> {
  if (asObject(body['prompt_cache_options'])?.['mode'] === 'explicit') drop('prompt_cache_options');
  const userId = asString(body['safety_identifier']);
  if (userId !== undefined && (asString(body['user']) ?? userId) !== userId) drop('user');
  for (const value of asArray(body['include'])) {
    if (!INCLUDED.has(value)) drop(`include[${String(value)}]`);
  }
  const topLogprobs = asNumber(body['top_logprobs']) ?? 0;
  const requestsLogprobs = topLogprobs > 0 || asArray(body['include']).includes('message.output_text.logprobs');
  const parallelToolCalls = body['parallel_tool_calls'];
  const metadata = Object.entries(objectOrEmpty(body['metadata'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    maxOutputTokens: asNumber(body['max_output_tokens']),
    temperature: asNumber(body['temperature']),
    topP: asNumber(body['top_p']),
    // 0 is the default unless `include` requests log probabilities.
    topLogprobs: requestsLogprobs ? topLogprobs : undefined,
    parallelToolCalls: typeof parallelToolCalls === 'boolean' ? parallelToolCalls : undefined,
    serviceTier: asString(body['service_tier']),
    user: asString(body['safety_identifier']) ?? asString(body['user']),
    metadata: metadata.length > 0 ? Object.fromEntries(metadata) : undefined,
    cache: decodeCache(body),
  };
}

function decodeCache(body: JsonObject): GenerationRequest['cache'] {
  const key = asString(body['prompt_cache_key']);
  const options = asObject(body['prompt_cache_options']);
  const auto = options && options['mode'] !== 'explicit' ? { ttl: asString(options['ttl']) } : undefined;
  return key === undefined && !auto ? undefined : { key, auto };
}

/** Decodes `text`, which LangChain sends as an empty object. @throws GatewayError `invalid_request` */
export function decodeText(text: JsonField): Pick<GenerationRequest, 'format' | 'verbosity'> {
  const verbosity = text.get('verbosity').value;
  return {
    format: decodeFormat(text.get('format')),
    verbosity: verbosity === 'low' || verbosity === 'medium' || verbosity === 'high' ? verbosity : undefined,
  };
}

function decodeFormat(format: JsonField): TextFormat | undefined {
  if (!isRecord(format.value)) return undefined;
  const type = format.get('type');
  switch (type.value) {
    case undefined:
      return undefined;
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return { type: 'json' };
    case 'json_schema': {
      const strict = format.get('strict').value;
      return {
        type: 'schema',
        schema: format.get('schema').object(),
        name: format.get('name').requireString(),
        description: format.get('description').string,
        strict: typeof strict === 'boolean' ? strict : undefined,
      };
    }
    default:
      throw type.invalid('must be text, json_object, or json_schema');
  }
}

/** @param drop called with an unknown effort */
export function decodeReasoning(
  fields: JsonObject,
  drop: (field: string) => void,
): Pick<GenerationRequest, 'reasoning'> {
  const sent = asString(fields['effort']);
  const effort = EFFORTS.find((known): known is Effort => known === sent);
  if (sent !== undefined && effort === undefined) drop('reasoning.effort');
  // Here, null explicitly requests no summary, unlike null at the top level.
  const { summary = fields['generate_summary'] } = fields;
  const reasoning: Reasoning = {};
  if (effort !== undefined) reasoning.effort = effort;
  if (effort === 'none') reasoning.enabled = false;
  if (summary !== undefined) reasoning.visible = summary === null || summary === 'none' ? 'none' : 'summary';
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}
