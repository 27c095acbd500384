import { describe, expect, it } from 'vitest';
import { frameSize } from '../h264/frame-size.ts';
import { composeScene } from './scene.ts';

const SIZES = [
  [320, 176],
  [16, 16],
  [34, 18],
  [130, 400],
] as const;

function seedOf(first: number): Uint8Array {
  return Uint8Array.from({ length: 6 }, (_, index) => (first * 37 + index * 91) % 256);
}

describe('composeScene', () => {
  it.each(SIZES)('lists every macroblock that changes from step to step, at %ix%i', (width, height) => {
    const size = frameSize(width, height);
    for (let number = 0; number < 4; number += 1) {
      const scene = composeScene(size, seedOf(number), 12);
      const paintedBlock = (step: number, block: number): string => {
        const samples = Buffer.alloc(384);
        scene.paint(step, block, samples);
        return samples.toString('latin1');
      };
      for (let step = 1; step < 12; step += 1) {
        const changes = scene.changes(step);
        const differing = Array.from({ length: size.columns * size.rows }, (_, block) => block).filter(
          (block) => paintedBlock(step, block) !== paintedBlock(step - 1, block),
        );
        expect(differing.length).toBeGreaterThan(0);
        expect(differing.filter((block) => !changes.includes(block))).toEqual([]);
      }
    }
  });

  it('lists changes ascending and unique, within the frame', () => {
    const size = frameSize(34, 18);
    const changes = composeScene(size, seedOf(3), 5).changes(2);
    expect(changes).toEqual([...new Set(changes)].toSorted((a, b) => a - b));
    expect(changes.every((block) => block >= 0 && block < size.columns * size.rows)).toBe(true);
  });

  it('paints only valid video samples', () => {
    const samples = Buffer.alloc(384);
    for (let number = 0; number < 64; number += 1) {
      const scene = composeScene(frameSize(16, 16), seedOf(number), 2);
      scene.paint(1, 0, samples);
      expect(Math.min(...samples)).toBeGreaterThanOrEqual(16);
      expect(Math.max(...samples)).toBeLessThanOrEqual(240);
    }
  });
});
