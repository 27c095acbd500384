import { FinishReason as Vendor } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { decodeFinish, encodeFinish, failureOf } from './finish-reason.ts';

describe('finish reasons', () => {
  it.each([
    ['STOP', false, 'stop'],
    ['STOP', true, 'tool_calls'],
    ['MAX_TOKENS', false, 'length'],
    ['MAX_TOKENS', true, 'length'],
    ['PROHIBITED_CONTENT', false, 'content_filter'],
    ['CONTINUATION', false, 'pause'],
    ['LANGUAGE', false, 'content_filter'],
    ['A_NEW_ONE', false, 'other'],
  ])('reads %s (with calls: %s) as %s', (reason, hasCalls, finish) => {
    expect(decodeFinish(reason, hasCalls)).toBe(finish);
  });

  it('writes only values that the SDK supports, and never the value that makes it retry', () => {
    const finishes = [
      'stop',
      'stop_sequence',
      'length',
      'context_window',
      'tool_calls',
      'content_filter',
      'refusal',
      'pause',
      'other',
    ] as const;
    const reasons = finishes.map(encodeFinish);
    expect(reasons.every((reason) => reason in Vendor)).toBe(true);
    expect(reasons).not.toContain('CONTINUATION');
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'OTHER'])(
    'reads %s as a failure',
    (reason) => {
      expect(failureOf(reason)).toMatch(/^The model .*\.$/);
    },
  );

  it('treats no other reason as a failure', () => {
    expect(failureOf('STOP')).toBeUndefined();
    expect(failureOf('A_NEW_ONE')).toBeUndefined();
  });
});
