import { expect, it } from 'vitest';
import { teiRefusal } from './refusal.ts';

it.each([
  [413, { error: 'batch size 33 > maximum', error_type: 'Validation' }, 'invalid', 'batch size 33 > maximum'],
  [429, { error: 'Model is overloaded', error_type: 'Overloaded' }, 'busy', 'Model is overloaded'],
  [424, { error: 'inference failed', error_type: 'Backend' }, 'unavailable', 'inference failed'],
  [503, { error: 'unhealthy', error_type: 'Unhealthy' }, 'unavailable', 'unhealthy'],
  [422, { error: 'tokenizer', error_type: 'Tokenizer' }, 'invalid', 'tokenizer'],
  [401, undefined, 'credential', undefined],
])('%d with %j is %s', (status, body, decision, words) => {
  expect(teiRefusal({ status, body })).toEqual({ decision, text: words });
});
