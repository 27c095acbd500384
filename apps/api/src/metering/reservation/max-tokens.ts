import type { Usage } from '@sluice/canonical';

/** The maximum usage of a request. `isBounded` is true if the client limits the output tokens. */
export interface MaxTokens {
  usage: Usage;
  isBounded: boolean;
}

/** The largest number that the limits can count. */
const MAX = 9e15;

export function tokensOf(usage: Usage | undefined): number {
  return safeCount(safeCount(usage?.inputTokens) + safeCount(usage?.outputTokens));
}

function safeCount(reported: number | undefined): number {
  return reported !== undefined && reported > 0 ? Math.min(reported, MAX) : 0;
}

/**
 * Returns the tokens to reserve. If the client sets no output limit, the assumed limit never causes a rejection.
 * @param tpm the key's tokens per minute
 */
export function reservedTokens(max: MaxTokens | undefined, tpm: number): number {
  const tokens = tokensOf(max?.usage);
  return max?.isBounded === false ? Math.min(tokens, Math.max(tpm, max.usage.inputTokens)) : tokens;
}
