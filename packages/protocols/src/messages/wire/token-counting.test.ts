import type { MessageCountTokensParams, MessageTokensCount } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../json/parse-input.ts';
import { CreateMessageSchema } from './schema.ts';
import { tokenCounting } from './token-counting.ts';

const target = { upstream: 'a', account: 'acc', protocol: 'messages', model: 'claude-x', quirks: {} } as const;

describe('tokenCounting', () => {
  it('converts a counting body to a body that can be decoded', () => {
    const counted = { model: 'm', messages: [{ role: 'user', content: 'a' }], max_tokens: null, stream: true };
    const body = tokenCounting.decodeRequest(counted);
    expect(() => parseInput(CreateMessageSchema, body)).not.toThrow();
    expect(body).not.toHaveProperty('stream');
    expect(tokenCounting.decodeRequest({ ...counted, max_tokens: 5 })['max_tokens']).toBe(5);
  });

  it('sends only fields that the counting endpoint accepts', () => {
    const counted: MessageCountTokensParams = {
      model: 'claude-x',
      messages: [{ role: 'user', content: 'a' }],
      system: 's',
      thinking: { type: 'adaptive' },
    };
    const body = { ...counted, max_tokens: 5, temperature: 1, stream: true, metadata: {}, service_tier: 'auto' };
    expect(tokenCounting.encodeRequest(body, target)).toEqual(counted);
  });

  it('writes and reads the count', () => {
    const response = { input_tokens: 7 } satisfies MessageTokensCount;
    expect(tokenCounting.encodeCount(7)).toEqual(response);
    expect(tokenCounting.decodeCount(response)).toBe(7);
    for (const other of [{ input_tokens: '7' }, { input_tokens: -1 }, {}, null, 7]) {
      expect(tokenCounting.decodeCount(other)).toBeUndefined();
    }
  });
});
