import { EFFORTS, GatewayError, type GenerationRequest, type LossReport, type Reasoning } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { fromOpenApiSchema } from './from-openapi-schema.ts';
import { amount } from '../../json/amount.ts';
import { filledRecord } from '../wire/proto-json.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

const WHERE = 'generationConfig';
const KNOWN = new Set([
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'responseLogprobs',
  'logprobs',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'speechConfig',
  'thinkingConfig',
]);

export type GenerationSettings = Omit<GenerationRequest, 'protocol' | 'model' | 'stream' | 'messages' | 'tools'>;

/**
 * Reads `generationConfig`, its keys in camel case. Clients send empty arrays and objects; they count as absent.
 * @throws GatewayError `invalid_request` naming the field; `unsupported_parameter` for videos in the response
 */
export function decodeGenerationConfig(config: JsonObject, report: LossReport): GenerationSettings {
  for (const key of Object.keys(config)) if (!KNOWN.has(key)) report({ field: `${WHERE}.${key}`, how: 'dropped' });
  const temperature = number(config, 'temperature');
  const topP = number(config, 'topP');
  const topK = number(config, 'topK');
  const seed = number(config, 'seed');
  const choices = positive(config, 'candidateCount');
  const maxOutputTokens = positive(config, 'maxOutputTokens');
  const presencePenalty = number(config, 'presencePenalty');
  const frequencyPenalty = number(config, 'frequencyPenalty');
  const topLogprobs = config['responseLogprobs'] === true ? (number(config, 'logprobs') ?? 0) : undefined;
  const stop = texts(config, 'stopSequences').filter((text) => text !== '');
  const format = decodeFormat(config, report);
  const modalities = decodeModalities(config);
  const audio = decodeSpeech(filledRecord(config['speechConfig']));
  const reasoning = decodeThinking(filledRecord(config['thinkingConfig']) ?? {});
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(choices !== undefined && choices > 1 && { choices }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(topLogprobs !== undefined && { topLogprobs }),
    ...(stop.length > 0 && { stop }),
    ...(format && { format }),
    ...(modalities && { modalities }),
    ...(audio && { audio }),
    ...(reasoning && { reasoning }),
  };
}

function decodeFormat(config: JsonObject, report: LossReport): GenerationRequest['format'] {
  const plain = filledRecord(config['responseJsonSchema']);
  const native = filledRecord(config['responseSchema']);
  const schema = plain ?? (native && fromOpenApiSchema(native, `${WHERE}[responseSchema]`));
  if (schema) return { type: 'schema', name: 'response', schema };
  const mimeType = asNonEmptyString(config['responseMimeType']);
  if (mimeType === 'application/json') return { type: 'json' };
  if (mimeType !== undefined && mimeType !== 'text/plain') {
    report({ field: `${WHERE}.responseMimeType`, how: 'dropped' });
  }
  return undefined;
}

function decodeModalities(config: JsonObject): GenerationRequest['modalities'] {
  const wanted = texts(config, 'responseModalities').map((text) => text.toLowerCase());
  if (wanted.includes('video')) {
    const param = `${WHERE}[responseModalities]`;
    throw new GatewayError('unsupported_parameter', `${param} cannot contain VIDEO. Use a video endpoint.`, { param });
  }
  const known = wanted.filter((one) => one === 'text' || one === 'audio' || one === 'image');
  return known.some((one) => one !== 'text') ? known : undefined;
}

/** A prebuilt voice by name; other speech settings stay as they are. */
function decodeSpeech(config: JsonObject | undefined): GenerationRequest['audio'] {
  if (!config) return undefined;
  const voice = isRecord(config['voiceConfig']) ? config['voiceConfig']['prebuiltVoiceConfig'] : undefined;
  const name = isRecord(voice) ? asNonEmptyString(voice['voiceName']) : undefined;
  return { voice: name !== undefined && Object.keys(config).length === 1 ? name : config };
}

function decodeThinking(config: JsonObject): Reasoning | undefined {
  const budget = amount(config['thinkingBudget']);
  const level = asNonEmptyString(config['thinkingLevel'])?.toLowerCase();
  const effort = EFFORTS.find((one) => one === level);
  const { includeThoughts } = config;
  const reasoning: Reasoning = {
    ...(budget === 0 && { enabled: false }),
    ...(budget !== undefined && budget < 0 && { adaptive: true }),
    ...(budget !== undefined && budget > 0 && { budgetTokens: budget }),
    ...(effort !== undefined && { effort }),
    ...(typeof includeThoughts === 'boolean' && { visible: includeThoughts ? 'summary' : 'none' }),
  };
  return filledRecord(reasoning) && reasoning;
}

function number(config: JsonObject, key: string): number | undefined {
  const value = config[key];
  if (value === undefined) return undefined;
  const read = amount(value);
  if (read !== undefined) return read;
  const param = `${WHERE}[${key}]`;
  throw new GatewayError('invalid_request', `${param} must be a number.`, { param });
}

/** In protocol buffers, 0 means "not set". */
function positive(config: JsonObject, key: string): number | undefined {
  const value = number(config, key);
  return value !== undefined && value > 0 ? value : undefined;
}

function texts(config: JsonObject, key: string): string[] {
  const value = config[key] ?? [];
  if (Array.isArray(value) && value.every((one): one is string => typeof one === 'string')) return value;
  const param = `${WHERE}[${key}]`;
  throw new GatewayError('invalid_request', `${param} must be an array of strings.`, { param });
}
