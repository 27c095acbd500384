import { GatewayError, type GenerationRequest, type LossReport, type TextTarget } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { encodeThinking } from './encode-thinking.ts';
import { toOpenApiSchema } from './to-openapi-schema.ts';
import { filledRecord } from '../wire/proto-json.ts';
import type { JsonObject } from '../../json/values.ts';

const MAX_STOPS = 5;
const MAX_CHOICES = 8;
const HOTTEST = 2;

/**
 * Writes `generationConfig`.
 * @returns undefined without settings
 * @throws GatewayError `unsupported_parameter` for more than 8 choices
 */
export function encodeGenerationConfig(
  request: GenerationRequest,
  target: TextTarget,
  report: LossReport,
): JsonObject | undefined {
  const { maxOutputTokens, stop, choices = 1, topLogprobs } = request;
  if (choices > MAX_CHOICES) {
    throw new GatewayError('unsupported_parameter', `n must be at most ${MAX_CHOICES} for this model.`, { param: 'n' });
  }
  // Responses hold no log probabilities, and models without them reject the request.
  if (topLogprobs !== undefined) report({ field: 'logprobs', how: 'dropped' });
  if (stop && stop.length > MAX_STOPS) report({ field: 'stop', how: 'clamped' });
  const thinkingConfig = encodeThinking(request, target, report);
  return filledRecord({
    ...encodeSampling(request, target, report),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(choices > 1 && { candidateCount: choices }),
    ...(stop && stop.length > 0 && { stopSequences: stop.slice(0, MAX_STOPS) }),
    ...encodeFormat(request, target.quirks.full_schema),
    ...encodeModalities(request, report),
    ...(thinkingConfig && { thinkingConfig }),
  });
}

function encodeSampling(
  { temperature, topP, topK, seed, presencePenalty, frequencyPenalty }: GenerationRequest,
  { quirks }: TextTarget,
  report: LossReport,
): JsonObject {
  const sampling = {
    ...(temperature !== undefined && { temperature: Math.min(temperature, HOTTEST) }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
  };
  const seeded = seed === undefined ? {} : { seed };
  if (quirks.sampling === false) {
    for (const key of Object.keys(sampling)) {
      report({ field: key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), how: 'dropped' });
    }
    return seeded;
  }
  if (temperature !== undefined && temperature > HOTTEST) report({ field: 'temperature', how: 'clamped' });
  return { ...sampling, ...seeded };
}

function encodeFormat({ format }: GenerationRequest, full = true): JsonObject {
  if (!format || format.type === 'text') return {};
  const responseMimeType = 'application/json';
  if (format.type === 'json') return { responseMimeType };
  if (full) return { responseMimeType, responseJsonSchema: format.schema };
  const responseSchema = toOpenApiSchema(format.schema);
  return { responseMimeType, ...(responseSchema && { responseSchema }) };
}

/** A speech model returns only speech; any transcript comes with it. */
function encodeModalities({ modalities, audio }: GenerationRequest, report: LossReport): JsonObject {
  if (!modalities?.some((one) => one !== 'text')) return {};
  if (!modalities.includes('audio')) return { responseModalities: modalities.map((one) => one.toUpperCase()) };
  if (audio?.format !== undefined) report({ field: 'audio.format', how: 'dropped' });
  const speechConfig = encodeVoice(audio?.voice, report);
  return { responseModalities: ['AUDIO'], ...(speechConfig && { speechConfig }) };
}

function encodeVoice(voice: unknown, report: LossReport): JsonObject | undefined {
  if (voice === undefined) return undefined;
  if (typeof voice === 'string') return { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } };
  if (isRecord(voice) && (voice['voiceConfig'] ?? voice['multiSpeakerVoiceConfig'] ?? voice['languageCode'])) {
    return voice;
  }
  report({ field: 'audio.voice', how: 'dropped' });
  return undefined;
}
