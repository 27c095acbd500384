import { createHash } from 'node:crypto';
import { encodePng, type Rgb } from './encode-png.ts';

export interface ImageSpec {
  prompt: string;
  width: number;
  height: number;
}

/** Number of background colors. The ball uses one more color, the last one of the palette. */
const SHADES = 32;

/**
 * Returns a saturated color.
 * @param turn the hue, from 0 to 1.
 */
function hue(turn: number, light: number): Rgb {
  const part = (shift: number): number =>
    Math.round(light * (0.5 + 0.5 * Math.cos(2 * Math.PI * (turn + shift))) * 255);
  return [part(0), part(1 / 3), part(2 / 3)];
}

/** Renders a PNG with a striped background and a ball. The bytes depend only on the prompt and the size. */
export function renderImage({ prompt, width, height }: ImageSpec): Buffer {
  const [color = 0, slant = 0, stripes = 0, ballX = 0, ballY = 0] = createHash('sha256').update(prompt).digest();
  const turn = color / 256;
  const shades = Array.from({ length: SHADES }, (_, index) =>
    hue(turn + index / SHADES / 3, 0.3 + (0.7 * index) / SHADES),
  );
  const palette = [...shades, hue(turn + 0.5, 1)];
  const radius = Math.min(width, height) / 5;
  const center = {
    x: radius + (ballX / 256) * (width - 2 * radius),
    y: radius + (ballY / 256) * (height - 2 * radius),
  };
  const across = ((1 + (stripes % 5)) * SHADES) / width;
  const down = ((1 + (slant % 5)) * SHADES) / height;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const inBall = (x - center.x) ** 2 + (y - center.y) ** 2 < radius ** 2;
      pixels[y * width + x] = inBall ? SHADES : Math.floor(x * across + y * down) % SHADES;
    }
  }
  return encodePng({ width, height, palette, pixels });
}
