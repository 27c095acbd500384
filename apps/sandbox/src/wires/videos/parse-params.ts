import { invalidValue, missingParameter, openAiError } from '../openai-style/openai-error.ts';

const DEFAULT_MODEL = 'sandbox-video';
const DEFAULT_SECONDS = '4';
/** Small, so that tests can download the videos quickly. */
const DEFAULT_SIZE = '320x176';
const MAX_SECONDS = 60;
const SIDE = { min: 16, max: 1920 };

/** null and empty strings are treated as omitted. */
function textField(fields: ReadonlyMap<string, unknown>, name: string): string | undefined {
  const value = fields.get(name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  const message = `Invalid type for '${name}': expected a string, but got ${Array.isArray(value) ? 'an array' : `a ${typeof value}`} instead.`;
  throw openAiError(400, message, { param: name, code: 'invalid_type' });
}

function parseSeconds(fields: ReadonlyMap<string, unknown>): number {
  const value = fields.get('seconds');
  const seconds = (typeof value === 'number' ? String(value) : textField(fields, 'seconds')) ?? DEFAULT_SECONDS;
  const inRange = /^\d{1,2}(\.\d{1,3})?$/.test(seconds) && Number(seconds) >= 1 && Number(seconds) <= MAX_SECONDS;
  if (!inRange) {
    throw invalidValue('seconds', `Invalid value for 'seconds': expected a number from 1 to ${MAX_SECONDS}.`);
  }
  return Number(seconds);
}

function isSide(pixels: number): boolean {
  return pixels >= SIDE.min && pixels <= SIDE.max && pixels % 2 === 0;
}

function parseSize(size: string): { width: number; height: number } {
  const [, width, height] = /^(\d{2,4})x(\d{2,4})$/.exec(size)?.map(Number) ?? [];
  if (width === undefined || height === undefined || !isSide(width) || !isSide(height)) {
    const message = `Invalid value for 'size': expected WIDTHxHEIGHT, both even and from ${SIDE.min} to ${SIDE.max}.`;
    throw invalidValue('size', message);
  }
  return { width, height };
}

/**
 * Ignores unknown fields.
 * @throws WireError 400 with the name of an invalid field.
 */
export function parseParams(fields: ReadonlyMap<string, unknown>) {
  const prompt = textField(fields, 'prompt');
  if (prompt === undefined || prompt.trim() === '') throw missingParameter('prompt');
  return {
    prompt,
    model: textField(fields, 'model') ?? DEFAULT_MODEL,
    seconds: parseSeconds(fields),
    ...parseSize(textField(fields, 'size') ?? DEFAULT_SIZE),
  };
}
