const BLOCK_BYTES = 16 * 1024;
const MAX_BLOCKS = 384;
/** One download takes this fraction of the free blocks. */
const SHARE = 1 / 16;

/**
 * Divides memory among downloads. A single download gets hundreds of kilobytes at a time, which costs little CPU time
 * per byte. Of many slow downloads, each gets one or two blocks. When all blocks are taken, each further download gets
 * one more.
 */
export class BlockPool {
  readonly #free: Buffer[] = [];
  #taken = 0;

  /** Returns at least one block, and not more than `bytes` need. */
  take(bytes: number): Buffer[] {
    const fair = Math.floor((MAX_BLOCKS - this.#taken) * SHARE);
    const count = Math.max(1, Math.min(fair, Math.ceil(bytes / BLOCK_BYTES)));
    this.#taken += count;
    return Array.from({ length: count }, () => this.#free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES));
  }

  /** Takes blocks back for reuse. */
  put(blocks: readonly Buffer[]): void {
    this.#taken -= blocks.length;
    this.#free.push(...blocks);
    this.#free.length = Math.min(this.#free.length, MAX_BLOCKS);
  }

  /** Takes back blocks that may still be in use, so that the garbage collector frees them. */
  discard(blocks: readonly Buffer[]): void {
    this.#taken -= blocks.length;
  }
}
