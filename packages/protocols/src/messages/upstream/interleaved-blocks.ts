import type { StreamEvent } from '@sluice/canonical';
import { type BlockBuffer, BlockQueue } from '../../text/block-queue.ts';
import type { JsonObject } from '../../json/values.ts';
import type { OpenBlock } from './decode-stream-block.ts';

interface PendingBlock {
  block: OpenBlock;
  buffer: BlockBuffer;
}

/**
 * The open blocks of a stream, by index. The first block is emitted immediately, and later blocks are buffered until it
 * ends. A text also ends when another block starts, so that a vendor that omits `content_block_stop` does not delay the
 * rest of the response.
 */
export class InterleavedBlocks {
  readonly #queue = new BlockQueue();
  readonly #open = new Map<number, PendingBlock>();
  /** Text blocks that ended because another block started. */
  readonly #cut = new Set<number>();

  /** Opens a block. Ends any open block with the same index. */
  open(index: number, block: OpenBlock): StreamEvent[] {
    for (const [other, { block: earlier }] of this.#open) {
      if (other !== index && !earlier.isText) continue;
      this.#end(other);
      this.#cut.add(other);
    }
    this.#cut.delete(index);
    const buffer = this.#queue.add();
    buffer.push(...block.begin);
    this.#open.set(index, { block, buffer });
    return this.#queue.take();
  }

  /** @returns undefined if the block is not open */
  delta(index: number, delta: JsonObject): StreamEvent[] | undefined {
    const pending = this.#open.get(index);
    if (!pending) return undefined;
    pending.buffer.push(...pending.block.delta(delta));
    return this.#queue.take();
  }

  /** Whether this text block ended because another block started. */
  wasCut(index: number): boolean {
    return this.#cut.has(index);
  }

  close(index: number): StreamEvent[] {
    this.#end(index);
    this.#cut.delete(index);
    return this.#queue.take();
  }

  closeAll(): StreamEvent[] {
    for (const index of this.#open.keys()) this.#end(index);
    return this.#queue.take();
  }

  #end(index: number): void {
    const pending = this.#open.get(index);
    if (!pending) return;
    pending.buffer.push(...pending.block.close());
    pending.buffer.close();
    this.#open.delete(index);
  }
}
