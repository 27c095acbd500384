import type { GenerationRequest, LossReport } from '@sluice/canonical';
import type { ModelTraits } from './model-traits.ts';

/** If thinking is enabled, the vendor rejects lower values. */
const MIN_THINKING_TOP_P = 0.95;

export interface WireSampling {
  temperature: number | undefined;
  top_p: number | undefined;
  top_k: number | undefined;
}

/** Returns the output limit, at most the model's own limit. */
export function encodeMaxTokens(request: GenerationRequest, traits: ModelTraits, report: LossReport): number {
  const requested = request.maxOutputTokens;
  if (requested === undefined) return traits.defaultMaxTokens;
  const max = Math.max(traits.maxOutput ?? requested, traits.defaultMaxTokens);
  if (requested <= max || traits.maxOutput === undefined) return Math.max(1, requested);
  report({ field: 'max_tokens', how: 'clamped' });
  return max;
}

/** 1 is every model's default, so omitting it is not a loss. */
export function encodeSampling(
  request: GenerationRequest,
  traits: ModelTraits,
  thinks: boolean,
  report: LossReport,
): WireSampling {
  const { temperature, topP, topK } = request;
  const isSupported = traits.sampling && !thinks;
  const sendsTemperature = isSupported && temperature !== undefined;
  const sendsTopP =
    traits.sampling &&
    (!sendsTemperature || traits.bothSampling) &&
    (!thinks || (topP !== undefined && topP >= MIN_THINKING_TOP_P));
  if (sendsTemperature && temperature > 1) report({ field: 'temperature', how: 'clamped' });
  if (!sendsTemperature && temperature !== undefined && temperature !== 1) {
    report({ field: 'temperature', how: 'dropped' });
  }
  if (!sendsTopP && topP !== undefined && topP !== 1) report({ field: 'top_p', how: 'dropped' });
  if (!isSupported && topK !== undefined) report({ field: 'top_k', how: 'dropped' });
  return {
    temperature: sendsTemperature ? Math.min(1, temperature) : undefined,
    top_p: sendsTopP ? topP : undefined,
    top_k: isSupported ? topK : undefined,
  };
}
