import { describe, expect, it } from 'vitest';
import { readLifeSeconds } from './request-headers.ts';

const DAY = 24 * 3600;

describe('readLifeSeconds', () => {
  it.each([
    [undefined, 7 * DAY],
    ['{"expiration_duration_seconds":3600}', 3600],
    ['{"initial_acl":{"default":"allow"}}', 7 * DAY],
    ['{"expiration_duration_seconds":null}', 36_500 * DAY],
  ])('%s', (preference, seconds) => {
    expect(readLifeSeconds({ 'x-fal-object-lifecycle-preference': preference })).toBe(seconds);
  });

  it('accepts the headers that clients send', () => {
    expect(() => readLifeSeconds({ 'x-fal-queue-priority': 'low', 'x-fal-request-timeout': '2.5' })).not.toThrow();
  });

  it.each([
    { 'x-fal-request-timeout': 'soon' },
    { 'x-fal-request-timeout': '0.5' },
    { 'x-fal-queue-priority': 'high' },
    { 'x-fal-object-lifecycle-preference': '3600' },
    { 'x-fal-object-lifecycle-preference': '{"expiration' },
    { 'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":0}' },
  ])('rejects %j', (headers) => {
    expect(() => readLifeSeconds(headers)).toThrow(/^Invalid X-Fal-.* header$/);
  });
});
