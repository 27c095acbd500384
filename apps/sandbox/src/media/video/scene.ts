import type { FrameSize } from '../h264/frame-size.ts';
import { MACROBLOCK } from '../h264/frame-size.ts';

/** Luma and chroma in studio range, never 0. */
interface Color {
  y: number;
  cb: number;
  cr: number;
}

/** A patterned background, a moving ball, and a progress bar. */
export interface Scene {
  paint(step: number, macroblock: number, samples: Uint8Array): void;
  /** Returns the macroblocks that differ from the previous step, in ascending order. */
  changes(step: number): number[];
}

const BAR = 4;
const MAX_BALL = 3;

/** Each function returns the share of the second color at (x, y), where x and y are fractions of the frame. */
const PATTERNS: readonly ((x: number, y: number, repeats: number) => number)[] = [
  (x, y) => (x + y) / 2,
  (x, y, repeats) => Math.floor((x + y) * repeats) % 2,
  (x, y, repeats) => (Math.floor(x * repeats) + Math.floor(y * repeats)) % 2,
  (x, y, repeats) => Math.abs(((Math.hypot(x - 0.5, y - 0.5) * repeats * 2) % 2) - 1),
];

function colorAt(turn: number, y: number): Color {
  const angle = turn * 2 * Math.PI;
  return { y, cb: Math.round(128 + 70 * Math.cos(angle)), cr: Math.round(128 + 70 * Math.sin(angle)) };
}

function mix(from: Color, to: Color, share: number): Color {
  const part = (a: number, b: number): number => Math.round(a + (b - a) * share);
  return { y: part(from.y, to.y), cb: part(from.cb, to.cb), cr: part(from.cr, to.cr) };
}

function bounce(position: number, range: number): number {
  if (range === 0) return 0;
  const lap = position % (range * 2);
  return lap <= range ? lap : range * 2 - lap;
}

/**
 * @param seed at least 6 bytes, which determine the colors, the pattern, and the ball's path.
 * @param steps number of steps; the progress bar is full at the last step.
 */
export function composeScene(size: FrameSize, seed: Uint8Array, steps: number): Scene {
  const [hue = 0, contrast = 0, pattern = 0, grain = 0, startX = 0, startY = 0] = seed;
  const first = colorAt(hue / 256, 70);
  const second = colorAt(hue / 256 + 0.15 + contrast / 640, 175);
  const ballHue = hue / 256 + 0.6;
  const share = PATTERNS[pattern % PATTERNS.length] ?? ((x: number) => x);
  const repeats = 3 + (grain % 6);
  // Mix the two colors in advance. Each pixel's share of the second color selects an entry.
  const palette = Array.from({ length: 65 }, (_, index) => mix(first, second, index / 64));
  const white: Color = { y: 225, cb: 128, cr: 128 };
  const black: Color = { y: 24, cb: 128, cr: 128 };

  const columns = Math.max(1, Math.floor(size.width / MACROBLOCK));
  const rows = Math.max(1, Math.floor(size.height / MACROBLOCK));
  const side = Math.max(1, Math.min(MAX_BALL, Math.floor(Math.min(columns, rows) / 3)));
  const barTop = size.height - BAR;

  const ballAt = (step: number): { column: number; row: number } => ({
    column: bounce(startX + step, columns - side),
    row: bounce(startY + step, rows - side),
  });
  const barEnd = (step: number): number => (size.width * (step + 1)) / steps;

  function color(step: number, ball: { column: number; row: number }, x: number, y: number): Color {
    if (y >= barTop) return x < barEnd(step) ? white : black;
    const radius = (side * MACROBLOCK) / 2;
    const distance = Math.hypot(x - ball.column * MACROBLOCK - radius, y - ball.row * MACROBLOCK - radius);
    // The ball blinks, so that even a video with one macroblock changes.
    if (distance < radius) return colorAt(ballHue, step % 2 === 0 ? 205 : 165);
    const amount = share(x / size.width, y / size.height, repeats);
    return palette[Math.round(Math.min(1, Math.max(0, amount)) * 64)] ?? first;
  }

  function ballBlocks(step: number): number[] {
    const { column, row } = ballAt(step);
    const offsets = Array.from({ length: side * side }, (_, index) => index);
    return offsets.map((at) => (row + Math.floor(at / side)) * size.columns + column + (at % side));
  }

  function barBlocks(step: number): number[] {
    const from = Math.floor(barEnd(step - 1) / MACROBLOCK);
    const to = Math.min(size.columns - 1, Math.floor(barEnd(step) / MACROBLOCK));
    const blocks: number[] = [];
    for (let row = Math.floor(barTop / MACROBLOCK); row < size.rows; row += 1) {
      for (let column = from; column <= to; column += 1) blocks.push(row * size.columns + column);
    }
    return blocks;
  }

  return {
    paint(step, macroblock, samples) {
      const left = (macroblock % size.columns) * MACROBLOCK;
      const top = Math.floor(macroblock / size.columns) * MACROBLOCK;
      const ball = ballAt(step);
      for (let at = 0; at < 256; at += 1) {
        const x = at % MACROBLOCK;
        const y = at >> 4;
        const { y: luma, cb, cr } = color(step, ball, left + x, top + y);
        samples[at] = luma;
        if (x % 2 === 1 || y % 2 === 1) continue;
        const chroma = (y >> 1) * 8 + (x >> 1);
        samples[256 + chroma] = cb;
        samples[320 + chroma] = cr;
      }
    },
    changes(step) {
      const changed = new Set([...ballBlocks(step - 1), ...ballBlocks(step), ...barBlocks(step)]);
      return [...changed].toSorted((a, b) => a - b);
    },
  };
}
