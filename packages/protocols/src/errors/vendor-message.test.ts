import { GatewayError, type TextProtocolName } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { laneOf, laneTarget } from '../../test/text-lanes.ts';
import { vendorMessage } from './vendor-message.ts';

describe('vendorMessage', () => {
  it('returns a short line unchanged', () => {
    expect(vendorMessage('Be précis, 你好.')).toBe('Be précis, 你好.');
  });

  it('joins several lines into one, with any line separators', () => {
    expect(vendorMessage('  a\r\n\tb\u0085c\u2028d\u0000e \n')).toBe('a b c d e');
  });

  it('truncates to 500 characters and marks the cut', () => {
    for (const text of ['word '.repeat(1_000), '你好'.repeat(1_000), '👋🏽'.repeat(1_000)]) {
      const words = vendorMessage(text);
      expect(words.length).toBeLessThanOrEqual(500);
      expect(words.length).toBeGreaterThan(480);
      expect(words.endsWith('…')).toBe(true);
      expect(words.isWellFormed()).toBe(true);
    }
    expect(vendorMessage('x'.repeat(500))).toBe('x'.repeat(500));
  });

  it('leaves no partial key at the cut, since only complete ones can be scrubbed later', () => {
    const key = 'sk-proj-abc_DEF/123+45==';
    const words = vendorMessage(`${'a '.repeat(240)}${key.repeat(3)} and more`);
    expect(words).not.toContain('sk-');
    expect(vendorMessage(key.repeat(40))).toBe('');
  });
});

const LONG = 'Out of luck,\nagain. '.repeat(200);

/** An error with status 200, in each vendor's buffered and streamed format. */
const INNER_ERRORS: readonly (readonly [TextProtocolName, unknown])[] = [
  ['chat-completions', { error: { message: LONG, type: 'invalid_request_error', code: null } }],
  ['chat-completions', { choices: [{ index: 0, finish_reason: 'error', error: { message: LONG } }] }],
  ['chat-completions', { error: LONG }],
  ['responses', { type: 'error', message: LONG, code: 'server_error', error: { message: LONG, code: 'server_error' } }],
  [
    'responses',
    {
      type: 'response.failed',
      status: 'failed',
      output: [],
      error: { message: LONG },
      response: { error: { message: LONG } },
    },
  ],
  ['messages', { type: 'error', error: { type: 'api_error', message: LONG } }],
  ['generative-content', { error: { code: 400, status: 'INVALID_ARGUMENT', message: LONG } }],
];

describe('vendor messages', () => {
  it.each(INNER_ERRORS)('are one short line for %s, buffered and streamed: %j', (name, body) => {
    const protocol = laneOf(name);
    const context = { target: laneTarget(name), newId: (prefix: string) => `${prefix}1` };
    const told = protocol
      .decodeStream(context)
      .push({ data: JSON.stringify(body) })
      .at(-1);
    const errors: unknown[] = [told?.type === 'error' ? told.error : undefined];
    try {
      protocol.decodeResponse(body, context);
    } catch (error) {
      errors.push(error);
    }
    expect(errors).toHaveLength(2);
    for (const error of errors) {
      expect(error).toBeInstanceOf(GatewayError);
      expect(error instanceof Error && error.message).toMatch(/^Out of luck, again\. [^\n]{400,480}…$/);
    }
  });
});
