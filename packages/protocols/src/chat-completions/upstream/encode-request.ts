import { createHash } from 'node:crypto';
import type { Effort, GenerationRequest, LossReport, Message, TextTarget } from '@sluice/canonical';
import { effortOf } from '../../text/effort.ts';
import { reportUnreadTokens } from '../../losses/report-block-losses.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeSampling } from './encode-sampling.ts';
import { encodeTools } from './encode-tools.ts';
import { modelTraits, type ModelTraits } from './model-traits.ts';

/** OpenAI's maximum length of `user`. */
const MAX_USER_LENGTH = 64;
const SERVICE_TIERS = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast']);
/** Names that other protocols use for the default tier. */
const DEFAULT_TIERS = new Set(['standard', 'standard_only']);

/**
 * Encodes a request for an upstream. Streamed requests always request usage.
 * @throws GatewayError `unsupported_parameter` for media and forced tools that the upstream does not support
 */
export function encodeRequest(
  request: GenerationRequest,
  target: TextTarget,
  report: LossReport,
): Record<string, unknown> {
  const traits = modelTraits(target);
  const { stream, modalities, choices } = request;
  const { format, instructions } = encodeFormat(request, traits, report);
  reportUnreadTokens(request.messages, target, report);
  const generatesMedia = modalities?.some((kind) => kind !== 'text') === true;
  return {
    model: target.model,
    messages: encodeMessages(request.messages, instructions, { target, traits, report }),
    stream: stream ? true : undefined,
    stream_options: stream && traits.streamUsage ? { include_usage: true } : undefined,
    ...encodeTools(request, traits, report),
    [traits.maxTokensField]: request.maxOutputTokens,
    n: choices !== undefined && choices > 1 ? choices : undefined,
    reasoning_effort: encodeEffort(request, traits, report),
    ...encodeSampling(request, traits, report),
    response_format: format,
    ...(generatesMedia && encodeModalities(request, report)),
    ...encodeHints(request, report),
  };
}

/** For audio output, OpenAI requires the `text` modality, a format, and a voice. Streams support only raw samples. */
function encodeModalities({ modalities = [], audio, stream }: GenerationRequest, report: LossReport): object {
  if (!modalities.includes('audio')) return { modalities };
  const { format = stream ? 'pcm16' : 'wav', voice } = audio ?? {};
  const isValidVoice = typeof voice === 'string' || (isRecord(voice) && 'id' in voice);
  if (voice !== undefined && !isValidVoice) report({ field: 'audio.voice', how: 'replaced' });
  return {
    modalities: modalities.includes('text') ? modalities : ['text', ...modalities],
    audio: { format, voice: isValidVoice ? voice : 'alloy' },
  };
}

function encodeEffort({ reasoning }: GenerationRequest, traits: ModelTraits, report: LossReport): Effort | undefined {
  const effort = effortOf(reasoning);
  if (effort === undefined) {
    // OpenAI's reasoning models reason by default, and its other models never do.
    const isRequested = reasoning?.enabled === true || (reasoning?.adaptive === true && traits.isOpenAi);
    if (isRequested && !traits.reasons) report({ field: 'reasoning', how: 'dropped' });
    return undefined;
  }
  if (!traits.reasoningEffort) {
    report({ field: 'reasoning_effort', how: 'dropped' });
    return undefined;
  }
  if (reasoning?.budgetTokens !== undefined) report({ field: 'reasoning_budget', how: 'replaced' });
  return effort;
}

/** Encodes `verbosity` and parameters for cost and tracking. */
function encodeHints(request: GenerationRequest, report: LossReport): object {
  const { verbosity, cache, serviceTier, metadata, user } = request;
  const tier = serviceTier !== undefined && DEFAULT_TIERS.has(serviceTier) ? 'default' : serviceTier;
  const isKnownTier = tier !== undefined && SERVICE_TIERS.has(tier);
  if (tier !== undefined && !isKnownTier) report({ field: 'service_tier', how: 'dropped' });
  if (cache?.auto) report({ field: 'cache_control', how: 'dropped' });
  if (request.safety && request.safety.length > 0) report({ field: 'safety_settings', how: 'dropped' });
  return {
    verbosity,
    prompt_cache_key: cache?.key,
    service_tier: isKnownTier ? tier : undefined,
    metadata,
    user: user === undefined ? undefined : shortUser(user, report),
  };
}

/** Hashes an id that is too long, so that the same user always gets the same short id. */
function shortUser(user: string, report: LossReport): string {
  if (user.length <= MAX_USER_LENGTH) return user;
  report({ field: 'user', how: 'replaced' });
  return `user_${createHash('sha256').update(user).digest('hex').slice(0, 32)}`;
}

function encodeFormat(
  { format, messages }: GenerationRequest,
  traits: ModelTraits,
  report: LossReport,
): { format?: object; instructions: string[] } {
  switch (format?.type) {
    case undefined:
    case 'text':
      return { instructions: [] };
    case 'json':
      // OpenAI rejects JSON mode if no message contains the word "JSON".
      return { format: { type: 'json_object' }, instructions: mentionsJson(messages) ? [] : ['Answer in JSON.'] };
    case 'schema': {
      const { name, schema, description, strict } = format;
      if (!traits.jsonSchema) {
        report({ field: 'response_format', how: 'replaced' });
        const instruction = `Answer with one JSON value alone, which follows this JSON Schema:\n${JSON.stringify(schema)}`;
        return { format: { type: 'json_object' }, instructions: [instruction] };
      }
      const jsonSchema = { name: flatToolName(name), description, schema, strict };
      return { format: { type: 'json_schema', json_schema: jsonSchema }, instructions: [] };
    }
  }
}

function mentionsJson(messages: readonly Message[]): boolean {
  return messages.some(({ content }) => content.some((block) => block.type === 'text' && /json/i.test(block.text)));
}
