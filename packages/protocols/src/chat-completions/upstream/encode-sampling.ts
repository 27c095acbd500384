import type { GenerationRequest, LossReport } from '@sluice/canonical';
import { effortOf } from '../../text/effort.ts';
import type { ModelTraits } from './model-traits.ts';

/** OpenAI's maximum number of stop sequences. */
const MAX_STOPS = 4;

/** Encodes sampling parameters. Reasoning models accept none of them. */
export function encodeSampling(
  request: GenerationRequest,
  traits: ModelTraits,
  report: LossReport,
): Record<string, unknown> {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, logitBias, seed, topLogprobs, stop } = request;
  const isTaken = traits.sampling ?? effortOf(request.reasoning) === 'none';
  const paramsList: readonly [field: string, value: unknown, isTaken: boolean][] = [
    ['temperature', temperature, isTaken],
    ['top_p', topP, isTaken],
    ['top_k', topK, isTaken && traits.topK],
    ['presence_penalty', presencePenalty, isTaken],
    ['frequency_penalty', frequencyPenalty, isTaken],
    ['logit_bias', logitBias, isTaken],
    ['seed', seed, true],
    // A translated response cannot carry log probabilities.
    ['logprobs', topLogprobs, false],
    ['stop', stop?.slice(0, MAX_STOPS), traits.stop],
  ];
  if (traits.stop && stop && stop.length > MAX_STOPS) report({ field: 'stop', how: 'clamped' });
  const written: Record<string, unknown> = {};
  for (const [field, value, taken] of paramsList) {
    if (value === undefined) continue;
    if (taken) written[field] = value;
    // 1 is the default of every model, so dropping it is no loss.
    else if (value !== 1 || (field !== 'temperature' && field !== 'top_p')) report({ field, how: 'dropped' });
  }
  return written;
}
