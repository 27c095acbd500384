import type { Vector } from './embedding.ts';

const WIDTH = 4;

export function numbersOf(vector: Vector): readonly number[] {
  if (typeof vector !== 'string') return vector;
  const bytes = Buffer.from(vector, 'base64');
  return Array.from({ length: Math.floor(bytes.length / WIDTH) }, (_, index) => bytes.readFloatLE(index * WIDTH));
}

/** Base64 of little-endian float32, independent of the machine's byte order. */
export function base64Of(vector: Vector): string {
  if (typeof vector === 'string') return vector;
  const bytes = Buffer.alloc(vector.length * WIDTH);
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * WIDTH);
  return bytes.toString('base64');
}

export function lengthOf(vector: Vector): number {
  return typeof vector === 'string' ? Math.floor(Buffer.byteLength(vector, 'base64') / WIDTH) : vector.length;
}
