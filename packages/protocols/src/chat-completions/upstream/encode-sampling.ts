import type { GenerationRequest, LossReport } from '@sluice/canonical';
import { effortOf } from '../../text/effort.ts';
import type { ModelTraits } from './model-traits.ts';

/** OpenAI's maximum number of stop sequences. */
const MAX_STOPS = 4;

/** Encodes sampling parameters. Reasoning models accept none. */
export function encodeSampling(
  request: GenerationRequest,
  traits: ModelTraits,
  report: LossReport,
): Record<string, unknown> {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, logitBias, seed, topLogprobs, stop } = request;
  const isSupported = traits.sampling ?? effortOf(request.reasoning) === 'none';
  const params: readonly [field: string, value: unknown, isSupported: boolean][] = [
    ['temperature', temperature, isSupported],
    ['top_p', topP, isSupported],
    ['top_k', topK, isSupported && traits.topK],
    ['presence_penalty', presencePenalty, isSupported],
    ['frequency_penalty', frequencyPenalty, isSupported],
    ['logit_bias', logitBias, isSupported],
    ['seed', seed, true],
    // Canonical responses have no log probabilities.
    ['logprobs', topLogprobs, false],
    ['stop', stop?.slice(0, MAX_STOPS), traits.stop],
  ];
  if (traits.stop && stop && stop.length > MAX_STOPS) report({ field: 'stop', how: 'clamped' });
  const encoded: Record<string, unknown> = {};
  for (const [field, value, supported] of params) {
    if (value === undefined) continue;
    if (supported) encoded[field] = value;
    // 1 is every model's default for `temperature` and `top_p`, so dropping it is not a loss.
    else if (value !== 1 || (field !== 'temperature' && field !== 'top_p')) report({ field, how: 'dropped' });
  }
  return encoded;
}
