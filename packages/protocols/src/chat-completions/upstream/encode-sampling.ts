import type { GenerationRequest, LossReport } from '@sluice/canonical';
import { effortOf } from '../../text/effort.ts';
import type { ModelTraits } from './model-traits.ts';

/** The most texts that OpenAI takes. */
const MAX_STOPS = 4;

/** Writes what steers the choice of tokens; a model that thinks takes none of it. */
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
    // An answer that is carried over has no place for them, so they are not asked for.
    ['logprobs', topLogprobs, false],
    ['stop', stop?.slice(0, MAX_STOPS), traits.stop],
  ];
  if (traits.stop && stop && stop.length > MAX_STOPS) report({ field: 'stop', how: 'clamped' });
  const written: Record<string, unknown> = {};
  for (const [field, value, taken] of paramsList) {
    if (value === undefined) continue;
    if (taken) written[field] = value;
    // 1 is what every model does by itself: leaving that out loses nothing.
    else if (value !== 1 || (field !== 'temperature' && field !== 'top_p')) report({ field, how: 'dropped' });
  }
  return written;
}
