import type { z } from 'zod';

/** An issue of zod, whose own messages are written for programmers. */
type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** The default message of an issue, to follow a field's name: `must be a string`. */
export function toPlainText(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return Object.hasOwn(KINDS, issue.expected) ? `must be ${KINDS[issue.expected]}` : 'is not valid';
    case 'too_small':
      if (issue.origin === 'number' || issue.origin === 'int') return `must be at least ${issue.minimum}`;
      return Number(issue.minimum) === 1 ? 'must not be empty' : `must have at least ${issue.minimum} ${unit(issue)}`;
    case 'too_big':
      if (issue.origin === 'number' || issue.origin === 'int') return `must be at most ${issue.maximum}`;
      return issue.origin === 'string'
        ? `must be at most ${issue.maximum} characters`
        : `must have at most ${issue.maximum} items`;
    case 'invalid_value':
      return `must be ${choice(issue.values.map(String))}`;
    case 'unrecognized_keys':
      return 'has unknown fields';
    case 'invalid_union':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      return issue.input === undefined ? 'is required' : 'is not valid';
  }
}

function unit({ origin }: { origin: string }): string {
  return origin === 'string' ? 'characters' : 'items';
}

/** `a, b, or c` */
function choice(values: readonly string[]): string {
  if (values.length < 3) return values.join(' or ');
  return `${values.slice(0, -1).join(', ')}, or ${values.at(-1)}`;
}
