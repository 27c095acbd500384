/**
 * JSON values that are expensive to parse, copy, or store, keyed by name. Each function returns about the given number
 * of bytes. The value `an unfinished string` is invalid.
 */
export const EXPENSIVE_JSON: Readonly<Record<string, (bytes: number) => string>> = {
  'empty arrays': (bytes) => `[${fill('[],', bytes)}[]]`,
  'empty objects': (bytes) => `[${fill('{},', bytes)}{}]`,
  'empty strings': (bytes) => `[${fill('"",', bytes)}""]`,
  numbers: (bytes) => `[${fill('1,', bytes)}1]`,
  'nested arrays': (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  members: (bytes) => `{${Array.from({ length: bytes / 12 }, (_, at) => `"k${at}":1`).join(',')}}`,
  'a string of ASCII': (bytes) => `"${fill('a', bytes)}"`,
  'a string of CJK characters': (bytes) => `"${fill('中', bytes)}"`,
  'a string of escapes': (bytes) => `"${fill(String.raw`\u0061`, bytes)}"`,
  'white space': (bytes) => `${fill(' ', bytes)}1`,
  'an unfinished string': (bytes) => `"${fill('a', bytes)}`,
};

function fill(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
}
