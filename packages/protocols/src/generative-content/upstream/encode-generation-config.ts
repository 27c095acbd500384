import { type GenerationRequest, type LossReport, type TextTarget } from '@sluice/canonical';
import { tooManyChoices } from '../../text/unsupported.ts';
import { isRecord } from '../../json/is-record.ts';
import { describedSchema } from '../../losses/described-schema.ts';
import { encodeThinking } from './encode-thinking.ts';
import { toOpenApiSchema } from './to-openapi-schema.ts';
import { filledRecord } from '../wire/proto-json.ts';
import type { JsonObject } from '../../json/values.ts';

const MAX_STOPS = 5;
const MAX_CHOICES = 8;
const MAX_TEMPERATURE = 2;

/** @returns undefined if there are no settings. @throws GatewayError `unsupported_parameter` for more than 8 choices */
export function encodeGenerationConfig(
  request: GenerationRequest,
  target: TextTarget,
  report: LossReport,
): JsonObject | undefined {
  const { maxOutputTokens, stop, choices = 1, topLogprobs } = request;
  if (choices > MAX_CHOICES) throw tooManyChoices(MAX_CHOICES);
  // Responses contain no log probabilities, and models without support for them reject the request.
  if (topLogprobs !== undefined) report({ field: 'logprobs', how: 'dropped' });
  if (stop && stop.length > MAX_STOPS) report({ field: 'stop', how: 'clamped' });
  const thinkingConfig = encodeThinking(request, target, report);
  return filledRecord({
    ...encodeSampling(request, target, report),
    maxOutputTokens,
    candidateCount: choices > 1 ? choices : undefined,
    stopSequences: stop && stop.length > 0 ? stop.slice(0, MAX_STOPS) : undefined,
    ...encodeFormat(request, report, target.quirks.full_schema),
    ...encodeModalities(request, report),
    thinkingConfig,
  });
}

function encodeSampling(
  { temperature, topP, topK, seed, presencePenalty, frequencyPenalty }: GenerationRequest,
  { quirks }: TextTarget,
  report: LossReport,
): JsonObject {
  const sampling = { temperature, topP, topK, presencePenalty, frequencyPenalty };
  if (quirks.sampling === false) {
    for (const [key, value] of Object.entries(sampling)) {
      const field = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      if (value !== undefined) report({ field, how: 'dropped' });
    }
    return { seed };
  }
  if (temperature === undefined || temperature <= MAX_TEMPERATURE) return { ...sampling, seed };
  report({ field: 'temperature', how: 'clamped' });
  return { ...sampling, temperature: MAX_TEMPERATURE, seed };
}

function encodeFormat({ format }: GenerationRequest, report: LossReport, full = true): JsonObject {
  if (!format || format.type === 'text') return {};
  const responseMimeType = 'application/json';
  if (format.type === 'json') return { responseMimeType };
  const schema = describedSchema(format, report, full);
  if (full) return { responseMimeType, responseJsonSchema: schema };
  const drop = () => report({ field: 'response_format', how: 'replaced' });
  return { responseMimeType, responseSchema: toOpenApiSchema(schema, drop) };
}

/**
 * Requests only `AUDIO` if audio is requested, because speech models return nothing but speech, including any
 * transcript.
 */
function encodeModalities({ modalities, audio }: GenerationRequest, report: LossReport): JsonObject {
  if (!modalities?.some((name) => name !== 'text')) return {};
  if (!modalities.includes('audio')) return { responseModalities: modalities.map((name) => name.toUpperCase()) };
  if (audio?.format !== undefined) report({ field: 'audio.format', how: 'dropped' });
  return { responseModalities: ['AUDIO'], speechConfig: encodeVoice(audio?.voice, report) };
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
