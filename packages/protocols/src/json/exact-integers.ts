/**
 * Members of `JSON` that the type definitions lack (TC39 proposal "JSON.parse source text access", available in Node
 * 22).
 */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};

/** Matches integers that may exceed 2^53, and strings that look like such integers. */
const LONG_INTEGER = /[:,[]\s*-?\d{16}/;

export function mayHaveLongIntegers(text: string): boolean {
  return LONG_INTEGER.test(text);
}

/**
 * Parses JSON. Integers beyond 2^53 become objects that `JSON.stringify` writes with all digits.
 * @throws SyntaxError
 */
export function parseExactIntegers(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
      ? exactJson.rawJSON(source)
      : value,
  );
}

/** Whether {@link parseExactIntegers} created the value, which has no members to edit. */
export function isExactInteger(value: unknown): boolean {
  return exactJson.isRawJSON(value);
}
