import { expect, it } from 'vitest';
import { googleRefusal } from './google-refusal.ts';

it('reads an error of Google and its retry delay', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }];
  const error = { code: 429, message: 'Resource has been exhausted', status: 'RESOURCE_EXHAUSTED', details };
  expect(googleRefusal({ status: 429, body: { error } })).toEqual({
    decision: 'busy',
    text: 'Resource has been exhausted',
    retryAfterMs: 1500,
  });
  expect(googleRefusal({ status: 400, body: 'no' })).toEqual({ decision: 'invalid', text: undefined });
});
