import type { DirectKind } from '@sluice/canonical';
import { type Charges, OUTPUT_TOKENS } from '../metering/charges.ts';
import type { DirectCall } from './direct-deps.ts';
import type { DirectPlan } from './plan-direct.ts';

interface DirectUse {
  /** Estimates the input tokens. */
  input?: () => number;
  /** Whether the model generates text, so that its output tokens are reserved. */
  generatesText?: boolean;
  /** Characters that are billed. */
  characters?: number;
}

/**
 * @param use if undefined, the call is not billed
 * @throws GatewayError `rate_limited`, `insufficient_quota`
 */
export function reserveDirect<K extends DirectKind>(
  charges: Charges,
  call: DirectCall,
  { resolvedModel: { model }, targets }: DirectPlan<K>,
  use: DirectUse | undefined,
): Promise<void> {
  const { output_tokens = OUTPUT_TOKENS } = model;
  if (!use) return charges.reserve(call, { model, targets });
  const { input, generatesText = false, characters } = use;
  const tokens = () => ({
    usage: { inputTokens: input?.() ?? 0, outputTokens: generatesText ? output_tokens : 0 },
    isBounded: !generatesText,
  });
  return charges.reserve(call, { model, targets, tokens, ...(characters !== undefined && { characters }) });
}
