import { hash, randomBytes } from 'node:crypto';
import type { BatchInputError } from '@sluice/canonical';
import type { ReadLine } from './read-batch-lines.ts';

/** More candidates are not compared, because at least one of them is a duplicate. */
const MAX_CANDIDATES = 50;
const FIRST_CAPACITY = 1 << 12;
/** The value of a slot without a hash. */
const FREE = 0n;

/**
 * Finds lines with the same `custom_id` in bounded memory: 16 to 32 bytes for each line, however long the ids are. It
 * remembers 64 bits of a hash, whose random seed prevents collisions on purpose. Ids with the same hash are candidates,
 * which a second pass over the input compares.
 */
export class CustomIds {
  readonly #seed = randomBytes(16).toString('hex');
  readonly #hashes = new HashSet();
  readonly #candidates = new Set<bigint>();

  add(customId: string): void {
    const bits = this.#hashOf(customId);
    if (!this.#hashes.add(bits) && this.#candidates.size < MAX_CANDIDATES) this.#candidates.add(bits);
  }

  /** @param read reads the input again; called only if ids have the same hash */
  async duplicates(read: () => AsyncIterable<ReadLine>): Promise<BatchInputError[]> {
    if (this.#candidates.size === 0) return [];
    const firstLines = new Map<string, number>();
    const errors: BatchInputError[] = [];
    for await (const { number, line } of read()) {
      const { custom_id: customId } = line;
      if (!this.#candidates.has(this.#hashOf(customId))) continue;
      const first = firstLines.get(customId);
      if (first === undefined) firstLines.set(customId, number);
      else errors.push(duplicate(number, first));
      if (errors.length === MAX_CANDIDATES) break;
    }
    return errors;
  }

  #hashOf(customId: string): bigint {
    const bits = hash('sha1', this.#seed + customId, 'buffer').readBigUInt64LE();
    return bits === FREE ? 1n : bits;
  }
}

function duplicate(line: number, first: number): BatchInputError {
  const message = `Line ${line}: The \`custom_id\` is the same as in line ${first}. Each line needs its own.`;
  return { code: 'duplicate_custom_id', message, line, param: 'custom_id' };
}

/** A set of 64-bit hashes in one typed array, with linear probing. It is at most half full. */
class HashSet {
  #slots = new BigUint64Array(FIRST_CAPACITY);
  #size = 0;

  /** @returns false if it was in the set */
  add(bits: bigint): boolean {
    const slot = this.#slotOf(bits);
    if (this.#slots[slot] !== FREE) return false;
    this.#slots[slot] = bits;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  /** Returns the slot with the hash, or the free slot for it. */
  #slotOf(bits: bigint): number {
    const mask = this.#slots.length - 1;
    let slot = Number(bits & BigInt(mask));
    while (this.#slots[slot] !== FREE && this.#slots[slot] !== bits) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const former = this.#slots;
    this.#slots = new BigUint64Array(former.length * 2);
    for (const bits of former) if (bits !== FREE) this.#slots[this.#slotOf(bits)] = bits;
  }
}
