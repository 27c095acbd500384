import { describe, expect, it } from 'vitest';
import { frameSize } from '../h264/frame-size.ts';
import { FRAME_NUM_BITS } from '../h264/parameter-sets.ts';
import { renderVideo } from './render-video.ts';

const PCM_BYTES = 384;

/** Returns the NAL units of the file's `mdat` box, without emulation prevention bytes. `mdat` is the last box. */
function frames(file: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let at = file.indexOf('mdat') + 4;
  while (at < file.length) {
    const length = file.readUInt32BE(at);
    const unit = file.subarray(at + 4, at + 4 + length);
    units.push(Buffer.from(unit.toString('latin1').replaceAll('\0\0\u0003', '\0\0'), 'latin1'));
    at += 4 + length;
  }
  return units;
}

function bitReader(bytes: Buffer) {
  let at = 8; // Skip the NAL header.
  const bit = (): number => {
    const value = ((bytes[at >> 3] ?? 0) >> (7 - (at % 8))) & 1;
    at += 1;
    return value;
  };
  const bits = (count: number): number => Array.from({ length: count }, bit).reduce((sum, next) => sum * 2 + next, 0);
  const unsigned = (): number => {
    let zeros = 0;
    while (bit() === 0) zeros += 1;
    return 2 ** zeros - 1 + bits(zeros);
  };
  const readBytes = (count: number): Buffer => {
    at = Math.ceil(at / 8) * 8;
    const from = at / 8;
    at += count * 8;
    return bytes.subarray(from, from + count);
  };
  const atEnd = (): boolean => {
    const left = bytes.length * 8 - at;
    return left >= 1 && left <= 8 && bits(left) === 2 ** (left - 1);
  };
  return { bits, unsigned, readBytes, atEnd };
}

/** Decodes an I_PCM and P_Skip video into macroblocks. Implements H.264 7.3 independently of the encoder. */
function decode(file: Buffer, width: number, height: number): Buffer[][] {
  const { columns, rows } = frameSize(width, height);
  let shown: Buffer[] = [];
  return frames(file).map((unit, frameNum) => {
    const read = bitReader(unit);
    const key = (unit[0] ?? 0) % 32 === 5;
    expect(read.unsigned()).toBe(0);
    expect(read.unsigned()).toBe(key ? 7 : 5);
    expect(read.unsigned()).toBe(0);
    expect(read.bits(FRAME_NUM_BITS)).toBe(frameNum);
    if (key) expect(read.unsigned()).toBe(0);
    expect(read.bits(key ? 2 : 3)).toBe(0);
    expect([read.unsigned(), read.unsigned()]).toEqual([0, 1]);
    shown = [...shown];
    for (let index = 0; index < columns * rows; index += 1) {
      if (!key) index += read.unsigned();
      if (index === columns * rows) break;
      expect(read.unsigned()).toBe(key ? 25 : 30);
      shown[index] = read.readBytes(PCM_BYTES);
    }
    expect(read.atEnd()).toBe(true);
    return shown;
  });
}

const VIDEO = { prompt: 'a red kite over a lake', seconds: 1, width: 66, height: 50 };

describe('renderVideo', () => {
  it.each([
    [1, 24],
    [2.5, 60],
    [60, 1440],
  ])('lasts %f seconds at 24 frames a second', (seconds, count) => {
    expect(frames(renderVideo({ ...VIDEO, seconds })).length).toBe(count);
  });

  it.each([
    [66, 50],
    [16, 16],
    [320, 176],
    [18, 200],
  ])('decodes, and changes in every step, at %ix%i', (width, height) => {
    const decoded = decode(renderVideo({ ...VIDEO, width, height }), width, height);
    const { columns, rows } = frameSize(width, height);
    for (const [index, frame] of decoded.entries()) {
      expect(frame.length).toBe(columns * rows);
      expect(frame.every((block) => block.length === PCM_BYTES)).toBe(true);
      const before = decoded[index - 4];
      if (before !== undefined) expect(Buffer.concat(frame).equals(Buffer.concat(before))).toBe(false);
    }
  });

  it('renders equal bytes for equal specs, and a different video for every prompt', () => {
    expect(renderVideo(VIDEO)).toEqual(renderVideo(VIDEO));
    const first = (prompt: string): string => frames(renderVideo({ ...VIDEO, prompt }))[0]?.toString('latin1') ?? '';
    const prompts = Array.from({ length: 20 }, (_, index) => `video ${index}`);
    expect(new Set(prompts.map(first)).size).toBe(prompts.length);
  });

  it('stays small for long and large videos', () => {
    expect(renderVideo({ ...VIDEO, seconds: 60, width: 1920, height: 1080 }).length).toBeLessThan(8_000_000);
  });
});
