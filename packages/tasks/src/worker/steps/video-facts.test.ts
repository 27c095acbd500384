import { mp4Box as box, mp4Numbers as numbers, mp4Track as track } from '@sluice/testkit';
import { describe, expect, it } from 'vitest';
import { readVideoFacts } from './video-facts.ts';

const video = track('vide', { width: 1280, height: 720 });
const facts = { durationMs: 4_000, width: 1280, height: 720, fps: 24 };

function read(file: Buffer, reads: [number, number][] = []) {
  return readVideoFacts(async (start, length) => {
    reads.push([start, length]);
    return file.subarray(start, start + length);
  }, file.length);
}

describe('readVideoFacts', () => {
  it('reads an index before the media data', async () => {
    expect(await read(Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', video)]))).toEqual(facts);
  });

  it('reads an index after the media data, which it skips', async () => {
    const reads: [number, number][] = [];
    const file = Buffer.concat([box('ftyp'), box('mdat', Buffer.alloc(1_000_000)), box('moov', video)]);
    expect(await read(file, reads)).toEqual(facts);
    expect(reads.reduce((sum, [, length]) => sum + length, 0)).toBeLessThan(2_000);
  });

  it('reads the video track of a file with sound', async () => {
    expect(await read(box('moov', track('soun', { timescale: 44_100, ticks: 1 }), video))).toEqual(facts);
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a file without boxes', Buffer.from('<html>not a video</html>')],
    ['a box that is longer than the file', numbers(500, 0x6d6f6f76, 0)],
    ['an index without a video track', box('moov', track('soun', {}))],
    ['a timescale of 0', box('moov', track('vide', { timescale: 0 }))],
    [
      'a box that is too short',
      box('moov', box('trak', box('tkhd'), box('mdia', box('mdhd'), box('hdlr', numbers(0, 0), Buffer.from('vide'))))),
    ],
    ['boxes without an end', Buffer.concat(Array.from({ length: 200 }, () => box('free')))],
  ])('returns undefined for %s', async (_what, file) => {
    expect(await read(file)).toBeUndefined();
  });
});
