import { expect, it } from 'vitest';
import { failureCode, decisionOf, textOf } from './errors.ts';
import { WireRefusal } from './wire.ts';

const typed = (type: string) => WireRefusal.parse({ detail: [{ loc: ['body', 'prompt'], msg: 'why', type }] });
const refusalWith = (detail: string, error_type?: string) => WireRefusal.parse({ detail, error_type });

it.each([
  [422, typed('missing'), 'invalid'],
  [422, typed('content_policy_violation'), 'moderated'],
  [400, refusalWith('no', 'content_policy_violation'), 'moderated'],
  [401, refusalWith('Cannot access application'), 'credential'],
  [403, refusalWith('User is locked. Reason: Exhausted balance. Top up your balance at fal.ai'), 'balance'],
  [403, refusalWith('User is locked. Reason: TOP_UP.'), 'balance'],
  [403, refusalWith('User is locked. Reason: Admin lock.'), 'credential'],
  [404, refusalWith('Application not found'), 'invalid'],
  [429, undefined, 'busy'],
  [500, typed('content_policy_violation'), 'unknown'],
  [503, refusalWith('No runner', 'runner_scheduling_failure'), 'unavailable'],
  [504, undefined, 'unknown'],
] as const)('a submission refused with HTTP %i %o: %s', (status, refusal, decision) => {
  expect(decisionOf(status, refusal)).toBe(decision);
});

it.each([
  [422, typed('missing'), 'invalid_request'],
  [422, typed('image_too_large'), 'invalid_request'],
  [422, typed('content_policy_violation'), 'content_policy'],
  [422, typed('no_media_generated'), 'provider_error'],
  [400, typed('downstream_service_error'), 'provider_error'],
  [400, refusalWith('bad input'), 'invalid_request'],
  [500, typed('internal_server_error'), 'provider_error'],
  [500, typed('content_policy_violation'), 'content_policy'],
  [504, refusalWith('Request timed out', 'request_timeout'), 'provider_error'],
  [504, WireRefusal.parse({ error_type: 'generation_timeout' }), 'provider_error'],
  [503, refusalWith('No runner', 'runner_scheduling_failure'), 'provider_error'],
  [500, refusalWith('Internal Server Error'), undefined],
  [502, refusalWith('Bad Gateway'), undefined],
  [503, refusalWith('Service Unavailable'), undefined],
  [408, refusalWith('Request Timeout'), undefined],
  [408, typed('request_timeout'), 'provider_error'],
  [500, undefined, undefined],
  [422, undefined, undefined],
  [502, WireRefusal.parse({ message: 'Bad gateway' }), undefined],
  [401, refusalWith('no'), undefined],
  [403, refusalWith('no'), undefined],
  [404, refusalWith('Request not found'), undefined],
  [404, refusalWith('Path /v9 not found'), 'invalid_request'],
  [429, refusalWith('slow'), undefined],
] as const)('a result with HTTP %i %o: %s', (status, refusal, code) => {
  expect(failureCode(status, refusal)).toBe(code);
});

it('names the invalid field', () => {
  const detail = [
    { loc: ['body', 'duration'], msg: 'must be 5 or 10', type: 'literal_error' },
    { loc: ['body'], msg: 'why', type: 'x' },
    { loc: ['body', 'images', 0], msg: 'too small', type: 'x' },
    { type: 'y' },
    'nonsense',
  ];
  expect(textOf(WireRefusal.parse({ detail: detail.slice(0, 4) }))).toBe('duration: must be 5 or 10; why; too small');
  expect(textOf(WireRefusal.parse({ detail }))).toBeUndefined();
  expect(textOf(refusalWith('a sentence'))).toBe('a sentence');
  expect(textOf(undefined)).toBeUndefined();
});
