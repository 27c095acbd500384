import { describe, expect, it } from 'vitest';
import { decodeFinish, encodeFinish } from './finish-reason.ts';

const plain = { hasCalls: false, hasRefusal: false };
const calling = { ...plain, hasCalls: true };

describe('finish reasons', () => {
  it.each([
    ['stop', plain, 'stop'],
    ['stop', calling, 'tool_calls'],
    ['tool_calls', plain, 'stop'],
    ['function_call', calling, 'tool_calls'],
    ['length', calling, 'length'],
    ['content_filter', plain, 'content_filter'],
    ['stop', { ...plain, hasRefusal: true }, 'refusal'],
    [undefined, plain, 'stop'],
    ['insufficient_system_resource', plain, 'other'],
  ] as const)('reads %s with %j as %s', (reason, traits, finish) => {
    expect(decodeFinish(reason, traits)).toBe(finish);
  });

  it.each([
    ['stop', 'stop'],
    ['stop_sequence', 'stop'],
    ['length', 'length'],
    ['context_window', 'length'],
    ['content_filter', 'content_filter'],
    ['refusal', 'content_filter'],
    ['pause', 'stop'],
    ['other', 'stop'],
  ] as const)('writes %s as %s', (finish, reason) => {
    expect(encodeFinish(finish, plain, false)).toBe(reason);
  });

  it('writes the legacy finish reason for a function call', () => {
    expect(encodeFinish('tool_calls', calling, true)).toBe('function_call');
    expect(encodeFinish('stop', calling, false)).toBe('tool_calls');
    expect(encodeFinish('refusal', { ...plain, hasRefusal: true }, false)).toBe('stop');
  });
});
