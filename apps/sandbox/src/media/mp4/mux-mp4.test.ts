import { describe, expect, it } from 'vitest';
import { muxMp4 } from './mux-mp4.ts';

const frames = [Buffer.from('first frame'), Buffer.from('2nd'), Buffer.from('third one')];
const file = muxMp4({
  width: 322,
  height: 178,
  framesPerSecond: 24,
  sequence: Buffer.from([0x67, 66, 0xc0, 30, 1]),
  image: Buffer.from([0x68, 2]),
  frames,
});

function boxes(from: number, to: number): { type: string; start: number; end: number }[] {
  const list = [];
  for (let at = from; at < to;) {
    const bytes = file.readUInt32BE(at);
    list.push({ type: file.toString('latin1', at + 4, at + 8), start: at + 8, end: at + bytes });
    at += bytes;
  }
  return list;
}

function contentOf(...path: string[]): number {
  let range = { start: 0, end: file.length };
  for (const type of path) {
    const inner = boxes(range.start, range.end).find((candidate) => candidate.type === type);
    if (inner === undefined) throw new Error(`no box ${type}`);
    range = inner;
  }
  return range.start;
}

const TABLE = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

describe('muxMp4', () => {
  it('puts the index before the samples, and fills the file exactly', () => {
    const top = boxes(0, file.length);
    expect(top.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
    expect(top.at(-1)?.end).toBe(file.length);
  });

  it('points at each sample: offset and lengths in the index lead to the frames', () => {
    let at = file.readUInt32BE(contentOf(...TABLE, 'stco') + 8);
    expect(at).toBe(contentOf('mdat'));
    const lengths = contentOf(...TABLE, 'stsz') + 12;
    for (const [index, frame] of frames.entries()) {
      const length = file.readUInt32BE(lengths + index * 4);
      expect(file.readUInt32BE(at)).toBe(length - 4);
      expect(file.subarray(at + 4, at + length)).toEqual(frame);
      at += length;
    }
    expect(at).toBe(file.length);
  });

  it('has the duration in frames at the frame rate', () => {
    const header = contentOf('moov', 'trak', 'mdia', 'mdhd');
    expect([file.readUInt32BE(header + 12), file.readUInt32BE(header + 16)]).toEqual([24, 3]);
  });

  it('has the visible size', () => {
    const entry = contentOf(...TABLE, 'stsd') + 8;
    expect([file.readUInt16BE(entry + 32), file.readUInt16BE(entry + 34)]).toEqual([322, 178]);
    const header = contentOf('moov', 'trak', 'tkhd');
    expect([file.readUInt16BE(header + 76), file.readUInt16BE(header + 80)]).toEqual([322, 178]);
  });
});
