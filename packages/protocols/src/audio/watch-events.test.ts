import { describe, expect, it } from 'vitest';
import { watchEvents } from './watch-events.ts';

const delta = 'data: {"type":"speech.audio.delta","audio":"SUQz"}\n\n';
const done = 'data: {"type":"speech.audio.done","usage":{"input_tokens":1,"output_tokens":2}}\n\n';

/** Feeds a stream to the watcher in chunks of a fixed length. Returns the relayed text and the watcher's state. */
function watched(stream: string, size = 1_000) {
  const watcher = watchEvents();
  const bytes = Buffer.from(stream);
  const passed: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) passed.push(watcher.push(bytes.subarray(at, at + size)));
  passed.push(watcher.end());
  const { isFinished, failure, usage } = watcher;
  return { text: Buffer.concat(passed).toString(), isFinished, failure, usage };
}

describe.each([1, 3, 7, 1_000])('a watched stream in chunks of %d bytes', (size) => {
  it('passes unchanged and reports its usage', () => {
    const usage = { inputTokens: 1, outputTokens: 2 };
    expect(watched(delta + done, size)).toEqual({ text: delta + done, isFinished: true, failure: undefined, usage });
  });

  it.each([
    'data: [DONE]\n\n',
    'data: {"type":"transcript.text.done","text":"kite"}',
    'data: {"type":"transcription.done","error":null}\r\n\r\n',
  ])('ends with %j', (last) => {
    expect(watched(delta + last, size)).toMatchObject({ text: delta + last, isFinished: true, failure: undefined });
  });

  it.each([
    ['data: {"error":{"message":"busy"}}\n\n', { message: 'busy' }],
    ['data: {"type":"error","message":"busy"}\n\n', { type: 'error', message: 'busy' }],
    ['event: error\ndata: {"message":"busy"}\n\n', { message: 'busy' }],
    ['event: error\ndata: busy\n\n', { message: 'busy' }],
    ['data: {"error":"busy"}\n\n', 'busy'],
  ])('stops before %j', (error, failure) => {
    expect(watched(delta + error + done, size)).toMatchObject({ text: delta, isFinished: false, failure });
  });

  it('does not end at an end marker within the transcript', () => {
    const frame = 'data: {"type":"transcript.text.delta","delta":"type error, x.done\\" [DONE]"}\n\n';
    expect(watched(frame, size)).toMatchObject({ text: frame, isFinished: false, failure: undefined });
  });
});

it('does not buffer an incomplete event forever', () => {
  const watcher = watchEvents();
  const chunk = Buffer.alloc(8 * 1024 * 1024, 'a');
  for (let at = 0; at < 4; at += 1) watcher.push(chunk);
  expect(() => watcher.push(chunk)).toThrow(expect.objectContaining({ code: 'provider_error' }));
});
