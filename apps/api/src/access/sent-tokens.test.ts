import { describe, expect, it } from 'vitest';
import { sentTokens } from './sent-tokens.ts';

describe('sentTokens', () => {
  it.each([
    ['data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"eight ch"}}]}\n\n', 2],
    ['event: content_block_delta\ndata: {"delta":{"type":"text_delta","text":"eight ch"}}\n\n', 2],
    ['data: {"delta":{"type":"thinking_delta","thinking":"eight ch"}}\n\n', 2],
    ['data: {"type":"response.output_text.delta","delta":"eight ch"}\n\n', 2],
    ['data: {"candidates":[{"content":{"parts":[{"text": "eight ch"}],"role":"model"}}]}\n\n', 2],
    ['data: {"delta":{"tool_calls":[{"function":{"name":"f","arguments":"{\\"a\\":\\"b\\"}"}}]}}\n\n', 4],
    ['data: {"choices":[],"usage":{"prompt_tokens":3}}\n\n', 0],
    [': keep-alive\n\n', 0],
  ])('finds what %j says', (events, tokens) => {
    expect(sentTokens(events)).toBe(tokens);
  });

  it('adds up what several events say', () => {
    expect(sentTokens('data: {"delta":{"content":"four"}}\n\ndata: {"delta":{"content":"five!"}}\n\n')).toBe(3);
  });

  it('knows an escaped quote from the end', () => {
    expect(sentTokens(String.raw`data: {"text":"\"a\\","b":"not this"}`)).toBe(2);
  });

  it.each([
    ['"text":"' + '\\n'.repeat(5_000_000) + '"', 2_500_000],
    ['"text":"' + '\\n'.repeat(5_000_000), 0],
    ['"text":"' + '\\\\'.repeat(5_000_000), 0],
    ['"text"' + ' '.repeat(5_000_000), 0],
  ])('gives up on no text of megabytes', (events, tokens) => {
    expect(sentTokens(events)).toBe(tokens);
  });
});
