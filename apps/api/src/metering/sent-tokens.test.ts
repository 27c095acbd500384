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
  ])('finds the text in %j', (events, tokens) => {
    expect(sentTokens(events)).toBe(tokens);
  });

  it('adds the texts of several events', () => {
    expect(sentTokens('data: {"delta":{"content":"four"}}\n\ndata: {"delta":{"content":"five!"}}\n\n')).toBe(3);
  });

  it.each(['\n', '\r\n'])('counts the text of a response once although events repeat it; lines end in %j', (end) => {
    const item = { type: 'message', content: [{ type: 'output_text', text: 'eight ch' }] };
    const call = { type: 'function_call', name: 'f', arguments: '{"a":"b"}' };
    const events = [
      { type: 'response.output_text.delta', delta: 'eight ch' },
      { type: 'response.output_text.done', text: 'eight ch' },
      { part: item.content[0], type: 'response.content_part.done' },
      { type: 'response.output_item.done', item },
      { type: 'response.function_call_arguments.delta', delta: '{"a":"b"}' },
      { type: 'response.function_call_arguments.done', arguments: '{"a":"b"}' },
      { type: 'response.output_item.done', item: call },
      { type: 'response.completed', response: { output: [item, call] } },
    ];
    const frames = events.map((event) => `event: ${event.type}${end}data: ${JSON.stringify(event)}${end}${end}`);
    expect(sentTokens(frames.join(''))).toBe(2 + 4);
    expect(frames.reduce((sum, frame) => sum + sentTokens(frame), 0)).toBe(2 + 4);
  });

  it('counts text of other protocols that resembles a responses event', () => {
    const content = 'data: {"type":"response.completed"}\n\n said';
    const event = { choices: [{ delta: { content } }] };
    expect(sentTokens(`data: ${JSON.stringify(event)}\n\n`)).toBeGreaterThan(8);
  });

  it('distinguishes an escaped quote from the end', () => {
    expect(sentTokens(String.raw`data: {"text":"\"a\\","b":"not this"}`)).toBe(2);
  });

  it.each([
    ['"text":"' + '\\n'.repeat(5_000_000) + '"', 2_500_000],
    ['"text":"' + '\\n'.repeat(5_000_000), 0],
    ['"text":"' + '\\\\'.repeat(5_000_000), 0],
    ['"text"' + ' '.repeat(5_000_000), 0],
  ])('handles texts of megabytes', (events, tokens) => {
    expect(sentTokens(events)).toBe(tokens);
  });
});
