import { nestedTooDeeply } from '../http/nesting-error.ts';

/** More levels than any request needs, and far fewer than overflow the stack. */
const MAX_DEPTH = 100;

/**
 * Rejects a body that would overflow recursive code: even a small body can hold 200,000 brackets.
 * @throws GatewayError `invalid_request`
 */
export function checkDepth(body: unknown): void {
  if (isDeeper(body, MAX_DEPTH)) throw nestedTooDeeply(MAX_DEPTH);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
