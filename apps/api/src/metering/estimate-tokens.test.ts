import type { ContentBlock, Message, Tool } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

const userTurn = (...content: ContentBlock[]): Message[] => [{ role: 'user', content }];
const count = (...content: ContentBlock[]) => estimateTokens({ messages: userTurn(...content), tools: [] });
const text = (value: string): ContentBlock => ({ type: 'text', text: value });

function image(data: string): ContentBlock {
  return { type: 'media', kind: 'image', source: { from: 'base64', mediaType: 'image/png', data } };
}

describe('estimateTokens', () => {
  it('returns at least one token', () => {
    expect(estimateTokens({ messages: [], tools: [] })).toBe(1);
  });

  it('counts about a token for four characters', () => {
    const short = count(text('x'.repeat(400)));
    expect(short).toBeGreaterThanOrEqual(100);
    expect(short).toBeLessThan(120);
    expect(count(text('x'.repeat(4_000))) - short).toBe(900);
  });

  it('counts a token for each character of scripts without spaces', () => {
    for (const characters of ['你', 'の', '한'])
      expect(count(text(characters.repeat(100)))).toBeGreaterThanOrEqual(100);
  });

  it('counts images independently of their size', () => {
    expect(count(image('A'.repeat(1_000_000)))).toBe(count(image('AAAA')));
    expect(count(image('AAAA'))).toBeGreaterThan(500);
  });

  it('counts tool calls, their results, and reasoning', () => {
    const base = count();
    const long = 'x'.repeat(400);
    for (const block of [
      { type: 'tool-call', callId: 'c', kind: 'function', name: 'f', arguments: long },
      { type: 'tool-result', callId: 'c', kind: 'function', content: [{ type: 'text', text: long }] },
      { type: 'reasoning', text: [long] },
      { type: 'refusal', text: long },
      { type: 'foreign', protocol: 'messages', raw: { type: 'x', long } },
    ] as ContentBlock[]) {
      expect(count(block) - base, block.type).toBeGreaterThanOrEqual(100);
    }
  });

  it('counts tools with their schemas', () => {
    const tool: Tool = { kind: 'function', name: 'f', description: 'x'.repeat(400), schema: { a: 'x'.repeat(400) } };
    expect(estimateTokens({ messages: [], tools: [tool] })).toBeGreaterThanOrEqual(200);
    expect(estimateTokens({ messages: [], tools: [tool, tool] })).toBe(
      2 * estimateTokens({ messages: [], tools: [tool] }),
    );
  });
});
