import { createHash } from 'node:crypto';
import type { GenerationRequest, LossReport, Message, TextTarget } from '@sluice/canonical';
import { effortOf } from '../../text/effort.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeSampling } from './encode-sampling.ts';
import { encodeTools } from './encode-tools.ts';
import { modelTraits, type ModelTraits } from './model-traits.ts';

/** OpenAI's maximum length of `user`. */
const MAX_USER_LENGTH = 64;
const SERVICE_TIERS = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast']);
/** Names of the default tier in other protocols. */
const DEFAULT_TIERS = new Set(['standard', 'standard_only']);

/**
 * Encodes a request for an upstream. Streams always request usage.
 * @throws GatewayError `unsupported_parameter` for media and forced tools that cannot be carried
 */
export function encodeRequest(
  request: GenerationRequest,
  target: TextTarget,
  report: LossReport,
): Record<string, unknown> {
  const traits = modelTraits(target);
  const { stream, maxOutputTokens, modalities, choices } = request;
  const { format, addition } = encodeFormat(request, traits, report);
  const isBeyondText = modalities?.some((kind) => kind !== 'text') === true;
  return {
    model: target.model,
    messages: encodeMessages(request.messages, addition, { target, traits, report }),
    ...(stream && { stream: true, ...(traits.streamUsage && { stream_options: { include_usage: true } }) }),
    ...encodeTools(request, traits, report),
    ...(maxOutputTokens !== undefined && { [traits.maxTokensField]: maxOutputTokens }),
    ...(choices !== undefined && choices > 1 && { n: choices }),
    ...encodeReasoning(request, traits, report),
    ...encodeSampling(request, traits, report),
    ...(format && { response_format: format }),
    ...(isBeyondText && encodeModalities(request, report)),
    ...encodeHints(request, report),
  };
}

/** OpenAI requires text beside audio, a format, and a voice; a stream supports raw samples only. */
function encodeModalities({ modalities = [], audio, stream }: GenerationRequest, report: LossReport): object {
  if (!modalities.includes('audio')) return { modalities };
  const { format = stream ? 'pcm16' : 'wav', voice } = audio ?? {};
  const isVoice = typeof voice === 'string' || (isRecord(voice) && 'id' in voice);
  if (voice !== undefined && !isVoice) report({ field: 'audio.voice', how: 'replaced' });
  return {
    modalities: modalities.includes('text') ? modalities : ['text', ...modalities],
    audio: { format, voice: isVoice ? voice : 'alloy' },
  };
}

function encodeReasoning({ reasoning }: GenerationRequest, traits: ModelTraits, report: LossReport): object {
  const effort = effortOf(reasoning);
  if (effort === undefined) return {};
  if (!traits.reasoningEffort) {
    report({ field: 'reasoning_effort', how: 'dropped' });
    return {};
  }
  if (reasoning?.effort === undefined && reasoning?.budgetTokens !== undefined) {
    report({ field: 'reasoning_budget', how: 'replaced' });
  }
  return { reasoning_effort: effort };
}

/** Parameters that affect cost or bookkeeping, and `verbosity`. */
function encodeHints(request: GenerationRequest, report: LossReport): object {
  const { verbosity, cache, serviceTier, metadata, user } = request;
  const tier = serviceTier !== undefined && DEFAULT_TIERS.has(serviceTier) ? 'default' : serviceTier;
  const isTier = tier !== undefined && SERVICE_TIERS.has(tier);
  if (tier !== undefined && !isTier) report({ field: 'service_tier', how: 'dropped' });
  if (cache?.auto) report({ field: 'cache_control', how: 'dropped' });
  if (request.safety && request.safety.length > 0) report({ field: 'safety_settings', how: 'dropped' });
  return {
    ...(verbosity !== undefined && { verbosity }),
    ...(cache?.key !== undefined && { prompt_cache_key: cache.key }),
    ...(isTier && { service_tier: tier }),
    ...(metadata && { metadata }),
    ...(user !== undefined && { user: shortUser(user, report) }),
  };
}

/** The same user always gets the same short form. */
function shortUser(user: string, report: LossReport): string {
  if (user.length <= MAX_USER_LENGTH) return user;
  report({ field: 'user', how: 'replaced' });
  return `user_${createHash('sha256').update(user).digest('hex').slice(0, 32)}`;
}

function encodeFormat(
  { format, messages }: GenerationRequest,
  traits: ModelTraits,
  report: LossReport,
): { format?: object; addition: string[] } {
  switch (format?.type) {
    case undefined:
    case 'text':
      return { addition: [] };
    case 'json':
      // OpenAI rejects JSON mode unless the conversation contains "JSON".
      return { format: { type: 'json_object' }, addition: saysJson(messages) ? [] : ['Answer in JSON.'] };
    case 'schema': {
      const { name, schema, description, strict } = format;
      if (!traits.jsonSchema) {
        report({ field: 'response_format', how: 'replaced' });
        const params = `Answer with one JSON value alone, which follows this JSON Schema:\n${JSON.stringify(schema)}`;
        return { format: { type: 'json_object' }, addition: [params] };
      }
      const named = {
        name: flatToolName(name),
        ...(description !== undefined && { description }),
        schema,
        ...(strict !== undefined && { strict }),
      };
      return { format: { type: 'json_schema', json_schema: named }, addition: [] };
    }
  }
}

function saysJson(messages: readonly Message[]): boolean {
  return messages.some(({ content }) => content.some((block) => block.type === 'text' && /json/i.test(block.text)));
}
