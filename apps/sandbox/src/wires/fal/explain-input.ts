import type { z } from 'zod';
import { deepestIssue, valueAt } from '../../schema/deepest-issue.ts';
import { falProblem, type FalProblem } from './fal-error.ts';

/** Pydantic's messages for wrong types. fal's models validate with Pydantic. */
const TYPES: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  string: ['string_type', 'Input should be a valid string'],
  int: ['int_type', 'Input should be a valid integer'],
  number: ['float_type', 'Input should be a valid number'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  object: ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
};

function quoted(values: readonly unknown[]): string {
  const all = values.map((value) => `'${String(value)}'`);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

function explain(first: z.core.$ZodIssue, body: unknown): FalProblem {
  const { issue, path } = deepestIssue(first);
  const at = path.filter((step) => typeof step !== 'symbol');
  const input = valueAt(body, path);
  const problem = (type: string, msg: string, ctx?: Record<string, unknown>) =>
    falProblem(type, msg, { at, ctx, input });
  switch (issue.code) {
    case 'invalid_type': {
      if (input === undefined && path.length > 0) {
        return falProblem('missing', 'Field required', { at, input: valueAt(body, path.slice(0, -1)) });
      }
      return problem(...(TYPES[issue.expected] ?? ['value_error', issue.message]));
    }
    case 'invalid_value':
      return problem('one_of', `Input should be ${quoted(issue.values)}`, { expected: issue.values });
    case 'too_small': {
      const min = Number(issue.minimum);
      return issue.origin === 'string'
        ? problem('sequence_too_short', `Sequence should have at least ${min} items`, { min_length: min })
        : problem('greater_than_equal', `Input should be greater than or equal to ${min}`, { ge: min });
    }
    case 'too_big': {
      const max = Number(issue.maximum);
      return issue.origin === 'string'
        ? problem('sequence_too_long', `Sequence should have at most ${max} items`, { max_length: max })
        : problem('less_than_equal', `Input should be less than or equal to ${max}`, { le: max });
    }
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return problem('value_error', issue.message);
  }
}

/** Returns all errors of an input, with messages from "Model Errors" (fal docs) or from Pydantic. */
export function explainInput(error: z.ZodError, body: unknown): FalProblem[] {
  return error.issues.map((issue) => explain(issue, body));
}
