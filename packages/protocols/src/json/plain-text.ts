import { orList } from '@sluice/canonical';
import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Formats a zod issue as a message for clients. It follows the field's name (e.g. `must be a string`). */
export function toPlainText(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return Object.hasOwn(KINDS, issue.expected) ? `must be ${KINDS[issue.expected]}` : 'is not valid';
    case 'too_small':
      if (issue.origin === 'number' || issue.origin === 'int') return `must be at least ${issue.minimum}`;
      return Number(issue.minimum) === 1 ? 'must not be empty' : length(issue.origin, `at least ${issue.minimum}`);
    case 'too_big':
      if (issue.origin === 'number' || issue.origin === 'int') return `must be at most ${issue.maximum}`;
      return length(issue.origin, `at most ${issue.maximum}`);
    case 'invalid_value':
      return mustBeOneOf(issue.values.map(String));
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

function length(origin: string, bound: string): string {
  return origin === 'string' ? `must be ${bound} characters` : `must have ${bound} items`;
}

/** Schema options for a required value. @param problem the message for an invalid value */
export function requiredOr(problem: string) {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? 'is required' : problem) };
}

/** Formats a list of values (e.g. `must be a, b, or c`). */
export function mustBeOneOf(values: readonly string[]): string {
  return `must be ${orList(values)}`;
}
