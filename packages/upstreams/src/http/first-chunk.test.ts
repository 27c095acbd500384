import { expect, it } from 'vitest';
import { reading } from '../../test/text-rig.ts';
import { ResponseStream } from './response-stream.ts';
import { firstChunk, fullBody } from './first-chunk.ts';

const NO_OPS = {
  pause: () => undefined,
  resume: () => undefined,
  abort: () => undefined,
  onDelivered: () => undefined,
};
const bytes = (text: string) => Buffer.from(text);

it('waits for the first chunk and hands it to the reader first', async () => {
  const source = new ResponseStream(NO_OPS);
  const waiting = firstChunk(source);
  source.push(bytes(''));
  source.push(bytes('a'));
  source.push(bytes('b'));
  const body = await waiting;
  const reader = reading();
  body?.feed(reader);
  source.push(bytes('c'));
  source.end();
  expect([reader.text(), reader.ended()]).toEqual(['abc', 'end']);
});

it('reads no further without a reader, or while the reader applies backpressure', async () => {
  let [paused, resumed] = [0, 0];
  const source = new ResponseStream({ ...NO_OPS, pause: () => (paused += 1), resume: () => (resumed += 1) });
  const waiting = firstChunk(source);
  const before = resumed;
  source.push(bytes('a'));
  const body = await waiting;
  expect([paused, resumed - before]).toEqual([1, 0]);
  let isReady = false;
  const reader = reading(() => isReady);
  body?.feed(reader);
  expect(resumed - before).toBe(0);
  isReady = true;
  body?.resume();
  source.push(bytes('b'));
  expect([reader.text(), resumed - before]).toEqual(['ab', 1]);
});

it('returns nothing for an empty body and throws when it breaks before the first chunk', async () => {
  const empty = new ResponseStream(NO_OPS);
  const none = firstChunk(empty);
  empty.end();
  expect(await none).toBeUndefined();
  const broken = new ResponseStream(NO_OPS);
  const failing = firstChunk(broken);
  broken.fail(new Error('why'));
  await expect(failing).rejects.toThrow('why');
});

it('passes a later break on to the reader', async () => {
  const source = new ResponseStream(NO_OPS);
  const waiting = firstChunk(source);
  source.push(bytes('a'));
  const body = await waiting;
  source.fail(new Error('why'));
  const reader = reading();
  body?.feed(reader);
  expect([reader.text(), reader.ended()]).toMatchObject(['a', new Error('why')]);
});

it('accepts bytes that are already there', async () => {
  expect(Buffer.from(await fullBody(bytes('abc')).collect(10)).toString()).toBe('abc');
});
