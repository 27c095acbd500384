import type { z } from 'zod';
import { deepestIssue, valueAt } from '../../schema/deepest-issue.ts';
import { falProblem, type FalProblem } from './fal-error.ts';

/** Pydantic's messages for wrong types; fal's models use Pydantic. */
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

function explain(given: z.core.$ZodIssue, body: unknown): FalProblem {
  const { issue, path } = deepestIssue(given);
  const at = path.filter((step) => typeof step !== 'symbol');
  const input = valueAt(body, path);
  switch (issue.code) {
    case 'invalid_type': {
      if (input === undefined && path.length > 0) {
        return falProblem('missing', 'Field required', { at, input: valueAt(body, path.slice(0, -1)) });
      }
      const [type, msg] = TYPES[issue.expected] ?? ['value_error', issue.message];
      return falProblem(type, msg, { at, input });
    }
    case 'invalid_value':
      return falProblem('one_of', `Input should be ${quoted(issue.values)}`, {
        at,
        ctx: { expected: issue.values },
        input,
      });
    case 'too_small': {
      const min = Number(issue.minimum);
      if (issue.origin === 'string') {
        const msg = `Sequence should have at least ${min} items`;
        return falProblem('sequence_too_short', msg, { at, ctx: { min_length: min }, input });
      }
      const msg = `Input should be greater than or equal to ${min}`;
      return falProblem('greater_than_equal', msg, { at, ctx: { ge: min }, input });
    }
    case 'too_big': {
      const max = Number(issue.maximum);
      if (issue.origin === 'string') {
        const msg = `Sequence should have at most ${max} items`;
        return falProblem('sequence_too_long', msg, { at, ctx: { max_length: max }, input });
      }
      const msg = `Input should be less than or equal to ${max}`;
      return falProblem('less_than_equal', msg, { at, ctx: { le: max }, input });
    }
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return falProblem('value_error', issue.message, { at, input });
  }
}

/** All errors of an input, in the words of "Model Errors" (fal docs), or else Pydantic's. */
export function explainInput(error: z.ZodError, body: unknown): FalProblem[] {
  return error.issues.map((issue) => explain(issue, body));
}
