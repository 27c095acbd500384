import { expect, it } from 'vitest';
import { ResponseScan } from './response-scan.ts';

function factsOf(text: string, chunkBytes = text.length) {
  const scan = new ResponseScan();
  for (let at = 0; at < text.length; at += chunkBytes) scan.push(Buffer.from(text.slice(at, at + chunkBytes)));
  return scan.facts();
}

it.each([
  ['chat completions', '{"id":"c1","model":"m1","choices":[{"finish_reason":"stop"},{"finish_reason": "length"}]}'],
  ['messages', '{"id":"c1","model":"m1","content":[],"stop_reason":"stop","x":{"stop_reason":"length"}}'],
  [
    'generative content',
    '{"responseId":"c1","modelVersion":"m1","candidates":[{"finishReason":"stop"},{"finishReason":"length"}]}',
  ],
])('reads the facts of %s', (_protocol, text) => {
  expect(factsOf(text)).toEqual({ id: 'c1', model: 'm1', finishReasons: ['stop', 'length'] });
});

it('reads why a response is incomplete', () => {
  const text = '{"id":"r1","incomplete_details": {"reason":"max_output_tokens"},"model":"m1"}';
  expect(factsOf(text)).toEqual({ id: 'r1', model: 'm1', finishReasons: ['max_output_tokens'] });
});

it('reads a finish reason at the end of one chunk and the start of the next', () => {
  const text = `{"id":"c1","model":"m1"}${' '.repeat(5_000)}{"finish_reason":"tool_calls"}`;
  for (const bytes of [100, 333, 5_030]) expect(factsOf(text, bytes).finishReasons).toEqual(['tool_calls']);
});

it('ignores a quoted JSON text, and a reason that is null', () => {
  const text = JSON.stringify({ content: '{"finish_reason":"stop"}', finish_reason: null });
  expect(factsOf(text).finishReasons).toBeUndefined();
});
