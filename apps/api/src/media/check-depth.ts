import { GatewayError } from '@sluice/canonical';

/** No request needs this many levels, and they cannot overflow the stack. */
const MAX_DEPTH = 100;

/**
 * Rejects a body whose depth would overflow recursive code. Even a small body can contain 200,000 brackets.
 * @throws GatewayError `invalid_request`
 */
export function checkDepth(body: unknown): void {
  if (!isDeeper(body, MAX_DEPTH)) return;
  throw new GatewayError('invalid_request', `The body is nested too deeply. Use at most ${MAX_DEPTH} levels.`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
