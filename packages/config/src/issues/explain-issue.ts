import type { z } from 'zod';
import type { FieldPath } from './config-error.ts';
import { knownFields } from './known-fields.ts';
import { suggestName } from './near-names.ts';

export interface Explanation {
  path: FieldPath;
  part: 'key' | 'value';
  wrong: string;
  remedy: string;
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'a section of fields',
  record: 'a section of fields',
  array: 'a list',
};

/**
 * Describes a schema issue in plain language. Shows a value only if the field has a fixed list of values, because any
 * other value may be secret.
 * @param read returns the parsed value at a path
 */
export function explainIssue(issue: z.core.$ZodIssue, read: (path: FieldPath) => unknown): Explanation[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  const value = read(path);
  const explain = (wrong: string, remedy: string): Explanation[] => [{ path, part: 'value', wrong, remedy }];
  const isMissing = value === undefined && issue.code !== 'unrecognized_keys';
  if (isMissing) return explain('is required', `add \`${String(path.at(-1))}\` here`);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => explainUnknown([...path, key], key, knownFields(path, read)));
    case 'invalid_type':
      return explain(...explainType(issue.expected, value));
    case 'invalid_value':
      return explain(...explainUnknownValue(value, issue.values));
    case 'too_small':
      return explain(
        ...explainBound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin),
      );
    case 'too_big':
      return explain(...explainBound('at most', issue.maximum, issue.origin));
    case 'invalid_format':
      if (issue.format === 'url') return explain('must be an http:// or https:// URL', 'write it as https://host/path');
      break;
    case 'invalid_key': {
      const wrong = `the name ${issue.issues.map((inner) => inner.message).join(' and ')}`;
      return [{ path, part: 'key', wrong, remedy: 'choose another name' }];
    }
    case 'invalid_union':
      // A section whose fields depend on its `type`.
      if ('options' in issue && Array.isArray(issue.options))
        return explain(...explainUnknownValue(value, issue.options));
      break;
    case 'not_multiple_of':
    case 'invalid_element':
    case 'custom':
      break;
  }
  return explain(issue.message, 'change it');
}

function explainUnknown(path: FieldPath, name: string, known: string[]): Explanation {
  return { path, part: 'key', wrong: 'is not a known field', remedy: suggestName(name, known, 'remove it') };
}

function explainUnknownValue(value: unknown, known: readonly unknown[]): [wrong: string, remedy: string] {
  return [`\`${String(value)}\` is not a known value`, suggestName(String(value), known.map(String), 'change it')];
}

function explainType(expected: string, value: unknown): [wrong: string, remedy: string] {
  const type = TYPE_NAMES[expected] ?? expected;
  const wrong = `must be ${type}, not ${describeType(value)}`;
  return [wrong, type === 'text' && typeof value !== 'object' ? 'put it in quotes' : `write ${type}`];
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'string' ? 'text' : 'a section of fields';
}

function explainBound(relation: string, bound: number | bigint, origin: string): [wrong: string, remedy: string] {
  if (origin === 'string' && bound === 1) return ['must not be empty', 'write a value or remove the field'];
  if (origin === 'string') return [`must be ${relation} ${bound} characters`, 'change it'];
  if (origin === 'array') return [`must have ${relation} ${bound} ${bound === 1 ? 'item' : 'items'}`, 'change it'];
  return [`must be ${relation} ${bound}`, 'change it'];
}
