import { expect, it } from 'vitest';
import { jinaRefusal } from './refusal.ts';

it.each([
  [422, "[RID: req_1] Validation error: 'body -> top_n'.", 'invalid', "Validation error: 'body -> top_n'."],
  [422, [{ loc: ['body'], msg: 'Field required' }], 'invalid', 'Field required'],
  [401, 'Invalid API key', 'credential', 'Invalid API key'],
  [402, 'Insufficient account balance', 'balance', 'Insufficient account balance'],
  [429, 'Rate limit exceeded.', 'busy', 'Rate limit exceeded.'],
  [500, { odd: true }, 'unknown', undefined],
])('%d with %j', (status, detail, decision, text) => {
  expect(jinaRefusal({ status, body: { detail } })).toEqual({ decision, text });
});
