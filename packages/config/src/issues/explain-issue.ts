import type { z } from 'zod';
import type { FieldPath } from './config-error.ts';
import { knownFields } from './known-fields.ts';
import { likelyName } from './near-names.ts';

/** A schema issue in plain language. */
export interface Explanation {
  path: FieldPath;
  part: 'key' | 'value';
  wrong: string;
  remedy: string;
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a section of fields',
  record: 'a section of fields',
  array: 'a list',
};

/**
 * Describes a schema issue in plain language. Values are shown only if the field has a fixed list of values, which are
 * no
 * secrets.
 * @param read returns the parsed value at a path
 */
export function explainIssue(issue: z.core.$ZodIssue, read: (path: FieldPath) => unknown): Explanation[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  const value = read(path);
  const missing = value === undefined && issue.code !== 'unrecognized_keys';
  if (missing) return [{ path, part: 'value', wrong: 'is missing', remedy: `add \`${String(path.at(-1))}\` here` }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => explainUnknown([...path, key], key, knownFields(path)));
    case 'invalid_type':
      return [{ path, part: 'value', ...explainType(issue.expected, value) }];
    case 'invalid_value': {
      const words = issue.values.map(String);
      const meant = likelyName(String(value), words);
      const remedy = meant === undefined ? `write one of: ${words.join(', ')}` : `did you mean \`${meant}\`?`;
      return [{ path, part: 'value', wrong: `\`${String(value)}\` is not known here`, remedy }];
    }
    case 'too_small':
      return [
        {
          path,
          part: 'value',
          ...explainBound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin),
        },
      ];
    case 'too_big':
      return [{ path, part: 'value', ...explainBound('at most', issue.maximum, issue.origin) }];
    case 'invalid_format':
      if (issue.format === 'url')
        return [
          { path, part: 'value', wrong: 'must be an http:// or https:// URL', remedy: 'write it as https://host/path' },
        ];
      break;
    case 'invalid_key': {
      const wrong = `the name ${issue.issues.map((inner) => inner.message).join(' and ')}`;
      return [{ path, part: 'key', wrong, remedy: 'choose another name' }];
    }
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_element':
    case 'custom':
      break;
  }
  return [{ path, part: 'value', wrong: issue.message, remedy: 'change it' }];
}

function explainUnknown(path: FieldPath, name: string, known: string[]): Explanation {
  const meant = likelyName(name, known);
  const list = known.length === 0 ? 'remove it' : `write one of: ${known.join(', ')}`;
  return { path, part: 'key', wrong: 'is not a known field', remedy: meant ? `did you mean \`${meant}\`?` : list };
}

function explainType(expected: string, value: unknown): { wrong: string; remedy: string } {
  const wanted = TYPE_NAMES[expected] ?? expected;
  const found = describeType(value);
  if (wanted === 'text' && typeof value !== 'object')
    return { wrong: `must be text, not ${found}`, remedy: 'put it in quotes' };
  return { wrong: `must be ${wanted}, not ${found}`, remedy: `write ${wanted}` };
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'string' ? 'text' : 'a section of fields';
}

function explainBound(word: string, bound: number | bigint, origin: string): { wrong: string; remedy: string } {
  if (origin === 'string')
    return bound === 1
      ? { wrong: 'is empty', remedy: 'write a value or remove the field' }
      : { wrong: `must have ${word} ${bound} characters`, remedy: 'change it' };
  if (origin === 'array') return { wrong: `needs ${word} ${bound} entry`, remedy: 'add one' };
  return { wrong: `must be ${word} ${bound}`, remedy: 'change it' };
}
