import { stemsOf, weightOf } from './stems-of.ts';
import { withoutDirectives } from '../directives/text-directives.ts';

/** Total weight of a word's trigrams. The word itself has weight 1. */
const TRIGRAMS = 0.5;

/** Returns the 32-bit FNV-1a hash. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Adds the feature's vector of pseudo-random numbers (mulberry32), seeded by its name. */
function addFeature(sums: Float64Array, name: string, weight: number): void {
  let state = hash(name);
  for (let at = 0; at < sums.length; at += 1) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    sums[at] = (sums[at] ?? 0) + weight * (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1);
  }
}

function addWord(sums: Float64Array, word: string): void {
  const weight = weightOf(word);
  addFeature(sums, `word ${word}`, weight);
  const framed = `<${word}>`;
  const trigrams = framed.length - 2;
  for (let at = 0; at < trigrams; at += 1) {
    addFeature(sums, `trigram ${framed.slice(at, at + 3)}`, (TRIGRAMS * weight) / trigrams);
  }
}

/**
 * Returns a deterministic embedding: the sum of the vectors of words and their trigrams. Texts that share words are
 * close to each other; other texts are nearly orthogonal. A shorter vector is a prefix of a longer one. The result is
 * not normalized; see {@link unitVector}.
 */
export function embedText(text: string | readonly number[], dimensions: number): number[] {
  const sums = new Float64Array(dimensions);
  if (typeof text === 'string') {
    const words = stemsOf(withoutDirectives(text));
    for (const word of words) addWord(sums, word);
    // A text without words is treated as one word, so that its vector is not zero.
    if (words.length === 0) addFeature(sums, `text ${text}`, 1);
  } else for (const token of text) addFeature(sums, `token ${token}`, 1);
  return [...sums];
}

/** Rounds to 32-bit floats, so that the float and base64 formats return the same values. */
export function unitVector(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((number) => Math.fround(number / length));
}

/** Encodes the vector as little-endian 32-bit floats in base64. */
export function base64OfFloats(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, number] of vector.entries()) bytes.writeFloatLE(number, at * 4);
  return bytes.toString('base64');
}
