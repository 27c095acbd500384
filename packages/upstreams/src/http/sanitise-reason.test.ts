import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitiseReason } from './sanitise-reason.ts';

describe('sanitiseReason', () => {
  it.each([
    [
      'Invalid value for input_reference.image: expected a picture',
      'Invalid value for input_reference.image: expected a picture',
    ],
    ['task_failed: size must be 1280x720', 'task_failed: size must be 1280x720'],
    [
      'Your request was rejected by the moderation_blocked system.',
      'Your request was rejected by the moderation_blocked system.',
    ],
  ])('keeps words that help: %s', (text, expected) => {
    expect(sanitiseReason(text)).toBe(expected);
  });

  it.each([
    ['see https://api.vendor.example/v1/x?sig=abc#y for help', /vendor|sig|abc/],
    ['see api.vendor.com/v1/videos for help', /vendor|videos/],
    ['from 10.1.2.3:8080 or [fd00::1]:80', /10\.1|8080|fd00/],
    ['Incorrect API key provided: sk-proj-abc123', /sk-|abc123/],
    ['Authorization: Bearer abcdefghijkl', /abcdefghijkl/],
    ['task_8f3k2 failed, request id req-99ab7', /8f3k2|99ab7/],
    ['job 0b4ff6a2-1f0f-4a3e-9d1e-2f6c8a5b7e11 failed', /0b4ff6a2|2f6c8a5b7e11/],
    ['write to ops@vendor.example', /ops@|vendor/],
    ['video_\u200b68a7 and https://\u0000evil.example', /evil\.example/],
  ])('takes out what is nobody’s business: %s', (text, secret) => {
    expect(sanitiseReason(text)).not.toMatch(secret);
  });

  it('takes out the words that it is told to hide', () => {
    expect(sanitiseReason('key hunter2! at vendor for job abc', ['hunter2!', 'abc'])).toBe(
      'key [hidden] at vendor for job [hidden]',
    );
  });

  it('gives one line of at most 300 characters without any URL, whatever comes in', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 2000 }),
          fc.webUrl().map((url) => `failed at ${url} again`),
        ),
        (text) => {
          const clean = sanitiseReason(text);
          expect(clean.length).toBeLessThanOrEqual(300);
          expect(clean).not.toMatch(/https?:\/\/|[\r\n]/);
        },
      ),
    );
  });
});
