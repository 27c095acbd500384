import type { DirectKind } from '@sluice/canonical';
import { OUTPUT_TOKENS } from '../metering/charges.ts';
import type { DirectClientCall, DirectDeps } from './direct-services.ts';
import type { DirectPlan } from './plan-direct.ts';

/** What a direct call may use. */
interface DirectUse {
  /** About how many tokens are read. */
  input?: () => number;
  /** Whether text is written: nobody knows how much. */
  writes?: boolean;
  /** To be spoken. */
  characters?: number;
}

/**
 * Lets a direct call in, by what it may use.
 * @param use absent: it has no cost in tokens
 * @throws GatewayError `rate_limited`, `insufficient_quota`
 */
export function reserveDirect<K extends DirectKind>(
  deps: DirectDeps,
  call: DirectClientCall,
  { found: { model } }: DirectPlan<K>,
  use: DirectUse | undefined,
): Promise<void> {
  const { price, output_tokens = OUTPUT_TOKENS } = model;
  if (!use) return deps.charges.enter(call, { price });
  const { input, writes = false, characters } = use;
  const tokens = () => ({
    usage: { inputTokens: input?.() ?? 0, outputTokens: writes ? output_tokens : 0 },
    isBounded: !writes,
  });
  return deps.charges.enter(call, { price, tokens, ...(characters !== undefined && { characters }) });
}
