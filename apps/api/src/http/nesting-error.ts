import { GatewayError } from '@sluice/canonical';

/** More levels than any request needs, and far fewer than overflow the stack. */
const MAX_LEVELS = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Distinguishes a stack overflow by a deeply nested body from a bug. @returns undefined for another cause */
export function nestingError(error: unknown, body: unknown): GatewayError | undefined {
  const origin = error instanceof GatewayError ? error.cause : error;
  if (!(origin instanceof RangeError) || !Buffer.isBuffer(body) || depthOf(body) <= MAX_LEVELS) return undefined;
  return nestedTooDeeply(MAX_LEVELS, error);
}

export function nestedTooDeeply(maxLevels: number, cause?: unknown): GatewayError {
  const what = `The body is nested too deeply. Use at most ${maxLevels} levels.`;
  return new GatewayError('invalid_request', what, { cause });
}

function depthOf(json: Uint8Array): number {
  let deepest = 0;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += Number(byte === BACKSLASH);
    else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, (depth += 1));
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return deepest;
}
