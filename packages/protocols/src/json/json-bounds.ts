import { GatewayError } from '@sluice/canonical';

/**
 * Limits of a JSON body, checked before it is parsed. Parsed JSON can use a hundred times more memory than its text,
 * and parsing blocks all other requests. A conversation of a million tokens is well below every limit.
 */
export const JSON_BOUNDS = {
  /** Objects, arrays, and strings, including member names. */
  elements: 100_000,
  /** Values separated by commas. OpenAI accepts 300,000 tokens in an embeddings request. */
  values: 400_000,
  depth: 100,
  /** All bytes except long strings without escapes, such as base64 images and audio. */
  textBytes: 8 * 1024 * 1024,
} as const;

export function tooManyElements(): GatewayError {
  return new GatewayError(
    'payload_too_large',
    `The body must have at most ${JSON_BOUNDS.elements.toLocaleString('en')} objects, arrays, and strings, and ${JSON_BOUNDS.values.toLocaleString('en')} values. Send less in one request.`,
  );
}

export function nestedTooDeeply(): GatewayError {
  return new GatewayError('invalid_request', `The body is nested too deeply. Use at most ${JSON_BOUNDS.depth} levels.`);
}

export function tooMuchText(): GatewayError {
  return new GatewayError(
    'payload_too_large',
    `The body must be at most ${JSON_BOUNDS.textBytes} bytes outside of images, audio, and files in base64.`,
  );
}
