import { GatewayError, type TextProtocolName } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { protocolNamed, createTarget } from '../../test/text-exchange.ts';
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
      const message = vendorMessage(text);
      expect(message.length).toBeLessThanOrEqual(500);
      expect(message.length).toBeGreaterThan(480);
      expect(message.endsWith('…')).toBe(true);
      expect(message.isWellFormed()).toBe(true);
    }
    expect(vendorMessage('x'.repeat(500))).toBe('x'.repeat(500));
  });

  it('does not cut inside a key, because only complete keys can be scrubbed later', () => {
    const key = 'sk-proj-abc_DEF/123+45==';
    const message = vendorMessage(`${'a '.repeat(240)}${key.repeat(3)} and more`);
    expect(message).not.toContain('sk-');
    expect(vendorMessage(key.repeat(40))).toBe('');
  });
});

const LONG = 'Out of luck,\nagain. '.repeat(200);

/** Errors with status 200, in each vendor's buffered and streamed format. */
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
    const protocol = protocolNamed(name);
    const context = { target: createTarget(name), newId: (prefix: string) => `${prefix}1` };
    const streamed = protocol
      .decodeStream(context)
      .push({ data: JSON.stringify(body) })
      .at(-1);
    const errors: unknown[] = [streamed?.type === 'error' ? streamed.error : undefined];
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
