import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSpeechWriter } from './speech-events.ts';
import { watchEvents } from './watch-events.ts';

const encoded = new TextEncoder();

it('encodes the same bytes however they are split, and joins the base64 of all events', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (chunks) => {
      const writer = openSpeechWriter();
      const text = chunks.map((chunk) => writer.push(chunk)).join('') + writer.end();
      const frames = text.trimEnd().split('\n\n');
      const events = frames.map((frame) => JSON.parse(frame.replace('data: ', '')) as { type: string; audio?: string });
      expect(events.filter(({ type }) => type === 'speech.audio.done')).toHaveLength(1);
      expect(events.at(-1)).toEqual({ type: 'speech.audio.done' });
      const joined = events.map(({ audio = '' }) => audio).join('');
      expect(Buffer.from(joined, 'base64')).toEqual(Buffer.concat(chunks));
    }),
  );
});

it('recognizes only the final event and its usage, regardless of how events are split', () => {
  const writer = openSpeechWriter();
  const deltas = writer.push(encoded.encode('speech.audio.done'));
  const stream = encoded.encode(deltas + writer.end({ inputTokens: 3, outputTokens: 4 }));
  for (const size of [1, 3, 7, stream.length]) {
    const watcher = watchEvents();
    for (let at = 0; at < stream.length; at += size) watcher.push(stream.subarray(at, at + size));
    watcher.end();
    expect(watcher).toMatchObject({ isFinished: true, usage: { inputTokens: 3, outputTokens: 4 } });
  }
  const early = watchEvents();
  early.push(
    encoded.encode(`${deltas}data: {"type":"error","error":"speech.audio.done"}\n\ndata: speech.audio.done\n\n`),
  );
  early.end();
  expect(early.isFinished).toBe(false);
});
