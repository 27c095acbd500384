import { EFFORTS, type Effort, type GenerationRequest, type Reasoning, type TextFormat } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { asList, asNumber, asRecord, asText, type Fields, invalid, requiredText } from '../wire/wire-value.ts';

/** Reads the members that stand for themselves. */
export function decodeSettings(body: Fields): Partial<GenerationRequest> {
  const maxOutputTokens = asNumber(body['max_output_tokens']);
  const temperature = asNumber(body['temperature']);
  const topP = asNumber(body['top_p']);
  const topLogprobs = asNumber(body['top_logprobs']) ?? 0;
  const wantsLogprobs = topLogprobs > 0 || asList(body['include']).includes('message.output_text.logprobs');
  const parallelToolCalls = body['parallel_tool_calls'];
  const serviceTier = asText(body['service_tier']);
  const user = asText(body['safety_identifier']) ?? asText(body['user']);
  const metadata = Object.entries(asRecord(body['metadata']) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const cache = decodeCache(body);
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    // 0 is what absent means, unless `include` asks for the probabilities themselves.
    ...(wantsLogprobs && { topLogprobs }),
    ...(typeof parallelToolCalls === 'boolean' && { parallelToolCalls }),
    ...(serviceTier !== undefined && { serviceTier }),
    ...(user !== undefined && { user }),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
    ...(cache && { cache }),
  };
}

function decodeCache(body: Fields): GenerationRequest['cache'] {
  const key = asText(body['prompt_cache_key']);
  const options = asRecord(body['prompt_cache_options']);
  const ttl = asText(options?.['ttl']);
  const isAutomatic = options !== undefined && options['mode'] !== 'explicit';
  if (key === undefined && !isAutomatic) return undefined;
  return {
    ...(key !== undefined && { key }),
    ...(isAutomatic && { auto: ttl === undefined ? {} : { ttl } }),
  };
}

/** Reads `text`; LangChain sends an empty one. @throws GatewayError `invalid_request` */
export function decodeText(text: Fields): Pick<GenerationRequest, 'format' | 'verbosity'> {
  const verbosity = text['verbosity'];
  const format = decodeFormat(asRecord(text['format']));
  return {
    ...(format && { format }),
    ...((verbosity === 'low' || verbosity === 'medium' || verbosity === 'high') && { verbosity }),
  };
}

function decodeFormat(format: Fields | undefined): TextFormat | undefined {
  switch (format?.['type']) {
    case undefined:
      return undefined;
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return { type: 'json' };
    case 'json_schema': {
      const { schema, description, strict } = format;
      if (!isRecord(schema)) throw invalid('text[format][schema]', 'is required');
      return {
        type: 'schema',
        name: requiredText(format['name'], 'text[format][name]'),
        schema,
        ...(typeof description === 'string' && { description }),
        ...(typeof strict === 'boolean' && { strict }),
      };
    }
    default:
      throw invalid('text[format][type]', 'must be text, json_object or json_schema');
  }
}

/** Reads `reasoning`. @param drop told of an effort that nobody knows */
export function decodeReasoning(fields: Fields, drop: (field: string) => void): Pick<GenerationRequest, 'reasoning'> {
  const word = asText(fields['effort']);
  const effort = EFFORTS.find((known): known is Effort => known === word);
  if (word !== undefined && effort === undefined) drop('reasoning.effort');
  const { summary = fields['generate_summary'] } = fields;
  const reasoning: Reasoning = {
    ...(effort !== undefined && { effort }),
    ...(effort === 'none' && { enabled: false }),
    // Null is said on purpose, unlike at the top level: no summary.
    ...(summary === null || summary === 'none' ? { visible: 'none' } : summary !== undefined && { visible: 'summary' }),
  };
  return Object.keys(reasoning).length > 0 ? { reasoning } : {};
}
