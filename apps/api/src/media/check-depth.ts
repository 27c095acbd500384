import { GatewayError } from '@sluice/canonical';

/** More levels than any wish has a use for, and far fewer than what ends the stack. */
const MAX_DEPTH = 100;

/**
 * Looks at a body before anything walks it to the bottom: 200,000 brackets are a short body and a long recursion.
 * @throws GatewayError `invalid_request`
 */
export function checkDepth(body: unknown): void {
  if (isDeeper(body, MAX_DEPTH)) throw new GatewayError('invalid_request', 'The body is nested too deeply.');
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
