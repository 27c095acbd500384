import { EFFORTS, GatewayError, type GenerationRequest, type LossReport, type Reasoning } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { invalidField } from '../../json/json-field.ts';
import { fromOpenApiSchema } from './from-openapi-schema.ts';
import { DEFAULT_FORMAT_NAME } from '../../losses/described-schema.ts';
import { amount } from '../../json/amount.ts';
import { filledRecord } from '../wire/proto-json.ts';
import { type JsonObject, asNonEmptyString, isSet } from '../../json/values.ts';

const CONFIG = 'generationConfig';
const KNOWN: ReadonlySet<string> = new Set(
  `temperature topP topK candidateCount maxOutputTokens stopSequences responseLogprobs logprobs presencePenalty
  frequencyPenalty seed responseMimeType responseSchema responseJsonSchema responseModalities speechConfig
  thinkingConfig`.split(/\s+/),
);

export type GenerationSettings = Omit<GenerationRequest, 'protocol' | 'model' | 'stream' | 'messages' | 'tools'>;

/**
 * Decodes `generationConfig`. Empty arrays and objects, which some clients send, are treated as omitted.
 * @param config configuration with keys in camel case
 * @throws GatewayError `invalid_request` with the field's name, or `unsupported_parameter` for video output
 */
export function decodeGenerationConfig(config: JsonObject, report: LossReport): GenerationSettings {
  for (const key of Object.keys(config)) if (!KNOWN.has(key)) report({ field: `${CONFIG}.${key}`, how: 'dropped' });
  const choices = positive(config, 'candidateCount') ?? 1;
  const modalities = decodeModalities(config);
  if (filledRecord(config['speechConfig']) && modalities?.includes('audio') !== true) {
    report({ field: `${CONFIG}.speechConfig`, how: 'dropped' });
  }
  if (isSet(config['logprobs']) && config['responseLogprobs'] !== true) {
    report({ field: `${CONFIG}.logprobs`, how: 'dropped' });
  }
  const stop = texts(config, 'stopSequences').filter((text) => text !== '');
  return {
    temperature: number(config, 'temperature'),
    topP: number(config, 'topP'),
    topK: number(config, 'topK'),
    seed: number(config, 'seed'),
    choices: choices > 1 ? choices : undefined,
    maxOutputTokens: positive(config, 'maxOutputTokens'),
    presencePenalty: number(config, 'presencePenalty'),
    frequencyPenalty: number(config, 'frequencyPenalty'),
    topLogprobs: config['responseLogprobs'] === true ? (number(config, 'logprobs') ?? 0) : undefined,
    stop: stop.length > 0 ? stop : undefined,
    format: decodeFormat(config, report),
    modalities,
    audio: decodeSpeech(filledRecord(config['speechConfig'])),
    reasoning: decodeThinking(filledRecord(config['thinkingConfig']) ?? {}),
  };
}

function decodeFormat(config: JsonObject, report: LossReport): GenerationRequest['format'] {
  const jsonSchema = filledRecord(config['responseJsonSchema']);
  const openApiSchema = filledRecord(config['responseSchema']);
  const schema = jsonSchema ?? (openApiSchema && fromOpenApiSchema(openApiSchema, `${CONFIG}[responseSchema]`));
  const mimeType = asNonEmptyString(config['responseMimeType']);
  if (mimeType !== undefined && mimeType !== 'text/plain' && mimeType !== 'application/json') {
    report({ field: `${CONFIG}.responseMimeType`, how: 'dropped' });
  }
  if (schema) return { type: 'schema', name: DEFAULT_FORMAT_NAME, schema };
  return mimeType === 'application/json' ? { type: 'json' } : undefined;
}

function decodeModalities(config: JsonObject): GenerationRequest['modalities'] {
  const modalities = texts(config, 'responseModalities').map((text) => text.toLowerCase());
  if (modalities.includes('video')) {
    const param = `${CONFIG}[responseModalities]`;
    throw new GatewayError('unsupported_parameter', `${param} cannot contain VIDEO. Use a video endpoint.`, { param });
  }
  const known = modalities.filter((name) => name === 'text' || name === 'audio' || name === 'image');
  return known.some((name) => name !== 'text') ? known : undefined;
}

/** Decodes a prebuilt voice to its name. Other speech settings are kept as sent. */
function decodeSpeech(config: JsonObject | undefined): GenerationRequest['audio'] {
  if (!config) return undefined;
  const { voiceConfig } = config;
  const voice = isRecord(voiceConfig) ? voiceConfig['prebuiltVoiceConfig'] : undefined;
  const name = isRecord(voice) ? asNonEmptyString(voice['voiceName']) : undefined;
  return { voice: name !== undefined && [config, voiceConfig, voice].every(hasOneField) ? name : config };
}

function hasOneField(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 1;
}

function decodeThinking(config: JsonObject): Reasoning | undefined {
  const level = asNonEmptyString(config['thinkingLevel'])?.toLowerCase();
  const { includeThoughts } = config;
  const reasoning: Reasoning = {
    ...decodeBudget(amount(config['thinkingBudget'])),
    effort: EFFORTS.find((known) => known === level),
    visible: typeof includeThoughts === 'boolean' ? (includeThoughts ? 'summary' : 'none') : undefined,
  };
  return filledRecord(reasoning) && reasoning;
}

function decodeBudget(budget: number | undefined): Reasoning | undefined {
  if (budget === undefined) return undefined;
  if (budget === 0) return { enabled: false };
  // -1 means dynamic thinking.
  return budget < 0 ? { adaptive: true } : { budgetTokens: budget };
}

function number(config: JsonObject, key: string): number | undefined {
  const value = amount(config[key]);
  if (value === undefined && config[key] !== undefined) throw invalidField(`${CONFIG}[${key}]`, 'must be a number');
  return value;
}

/** In protocol buffers, 0 means that the field is not set. */
function positive(config: JsonObject, key: string): number | undefined {
  const value = number(config, key);
  return value !== undefined && value > 0 ? value : undefined;
}

function texts(config: JsonObject, key: string): string[] {
  const value = config[key] ?? [];
  if (Array.isArray(value) && value.every((text): text is string => typeof text === 'string')) return value;
  throw invalidField(`${CONFIG}[${key}]`, 'must be an array of strings');
}
