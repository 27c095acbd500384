import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeReason } from './sanitize-reason.ts';

describe('sanitizeReason', () => {
  it.each([
    [
      'Invalid value for input_reference.image: expected an image',
      'Invalid value for input_reference.image: expected an image',
    ],
    ['task_failed: size must be 1280x720', 'task_failed: size must be 1280x720'],
    [
      'Your request was rejected by the moderation_blocked system.',
      'Your request was rejected by the moderation_blocked system.',
    ],
    [
      'Use a short prompt, e.g. this, with v2.1 and/or v2.1/pro',
      'Use a short prompt, e.g. this, with v2.1 and/or v2.1/pro',
    ],
    ['body.input.media: field required, input.media too', 'body.input.media: field required, input.media too'],
    ['output.message was cut at 1.5/2 s.Then it failed', 'output.message was cut at 1.5/2 s.Then it failed'],
  ])('keeps helpful text: %s', (text, expected) => {
    expect(sanitizeReason(text)).toBe(expected);
  });

  it.each([
    ['see https://api.vendor.example/v1/x?sig=abc#y for help', /vendor|sig|abc/],
    ['see api.vendor.com/v1/videos for help', /vendor|videos/],
    ['from 10.1.2.3:8080 or [fd00::1]:80', /10\.1|8080|fd00/],
    ['Incorrect API key provided: sk-proj-abc123', /sk-|abc123/],
    ['Authorization: Bearer abcdefghijkl', /abcdefghijkl/],
    ['task_8f3k2 failed, request id req-99ab7', /8f3k2|99ab7/],
    ['job 0b4ff6a2-1f0f-4a3e-9d1e-2f6c8a5b7e11 failed', /0b4ff6a2|2f6c8a5b7e11/],
    ['see fal.run/x, pbxt.replicate.delivery/abc', /fal|pbxt|replicate|\/x|abc/],
    ['no v3.fal.media/files/a.mp4 nor v3.fal.media', /fal|v3|a\.mp4/],
    ['from api.kling.tv', /kling/],
    ['cannot write to arn:aws:s3:::my-bucket/a', /aws|bucket/],
    ['role arn:aws-us-gov:iam::123456789012:role/sluice failed', /1234|sluice/],
    ['from storage.vendor.example/abc and node7.vendor.zone:8080/x', /vendor|abc|node7|8080/],
    ['write to ops@vendor.example', /ops@|vendor/],
    ['video_\u200b68a7 and https://\u0000evil.example', /evil\.example/],
  ])('removes confidential parts: %s', (text, secret) => {
    expect(sanitizeReason(text)).not.toMatch(secret);
  });

  it('removes the strings to hide', () => {
    expect(sanitizeReason('key hunter2! at vendor for job abc', ['hunter2!', 'abc'])).toBe(
      'key [hidden] at vendor for job [hidden]',
    );
  });

  it.each([
    ["output_dimension is not supported for model 'embed-english-v3.0'", 'embed-english-v3.0'],
    ['The model `gpt-4o-transcribe-2025-12-15` does not support translation.', 'gpt-4o-transcribe-2025-12-15'],
    ['models/gemini-embedding-001 is not found for API version v1beta', 'gemini-embedding-001'],
    ['No model org/Qwen3-Embedding-8B-v2.1 here.', 'org/Qwen3-Embedding-8B-v2.1'],
  ])('keeps the model’s name: %s', (text, model) => {
    expect(sanitizeReason(text)).not.toBe(text);
    expect(sanitizeReason(text, [], model)).toBe(text);
  });

  it.each([
    ['see https://vendor.example/models/gpt-4o-transcribe-2025', 'gpt-4o-transcribe-2025'],
    ['id x1234-gpt-4o-transcribe-2025', 'gpt-4o-transcribe-2025'],
    ['id gpt-4o-transcribe-2025-abcdefgh', 'gpt-4o-transcribe-2025'],
    ['key sk-abc123def-456', 'abc123def'],
    ['mail gpt-4o-transcribe-2025@vendor.example', 'gpt-4o-transcribe-2025'],
  ])('removes longer text that merely contains the model’s name: %s', (text, model) => {
    expect(sanitizeReason(text, [], model)).not.toContain(model);
  });

  it('hides a string even if it is the model’s name, and removes placeholder characters', () => {
    expect(sanitizeReason('no hunter2 here', ['hunter2'], 'hunter2')).toBe('no [hidden] here');
    expect(sanitizeReason('a\uE000b', [], 'secret')).toBe('ab');
  });

  it.each(['a-', 'a.', 'a@', '[:', 'sk-', 'é', 'a\n', 'video_', 'a '])(
    'is fast with 64,000 characters of %j',
    (chunk) => {
      const text = chunk.repeat(64_000 / chunk.length);
      const begun = process.cpuUsage();
      sanitizeReason(text, ['hunter2']);
      expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000);
    },
  );

  it.each([0, 1, 2, 3, 5, 8, 12, 18, 19])(
    'leaves no part of a secret when it cuts a long text, %i characters in',
    (at) => {
      // The ids are shortened, so that the end of the text remains visible.
      const lead = `${'a1'.repeat(24)}b `.repeat(40).slice(at);
      expect(sanitizeReason(`${lead}sk-abcdefghijkl-mnop and more`)).not.toMatch(/sk|abc/);
      expect(sanitizeReason(`${lead}hunter2hunter2hunter2 and`, ['hunter2hunter2hunter2'])).not.toMatch(/hunt/);
    },
  );

  it('cuts a long text without spaces', () => {
    expect(sanitizeReason('错'.repeat(5000))).toBe(`${'错'.repeat(299)}…`);
    expect(sanitizeReason('a'.repeat(5000))).toBe('');
  });

  it('returns one line of at most 300 characters without URLs', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 2000 }),
          fc.webUrl().map((url) => `failed at ${url} again`),
        ),
        (text) => {
          const clean = sanitizeReason(text);
          expect(clean.length).toBeLessThanOrEqual(300);
          expect(clean).not.toMatch(/https?:\/\/|[\r\n]/);
        },
      ),
    );
  });
});
