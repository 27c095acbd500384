import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IMAGE_MAGIC_BYTES } from './image-type.ts';
import { observeHead } from './observe-head.ts';

it('passes on all bytes, and reports the first ones once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 })), async (chunks) => {
      const heads: Uint8Array[] = [];
      const passed: Uint8Array[] = [];
      for await (const chunk of observeHead(chunksOf(chunks), (head) => heads.push(head))) passed.push(chunk);
      const bytes = Buffer.concat(chunks);
      expect(Buffer.concat(passed)).toEqual(bytes);
      expect(heads.map((head) => Buffer.from(head))).toEqual([bytes.subarray(0, IMAGE_MAGIC_BYTES)]);
    }),
  );
});

it('ends the body if the head is refused', async () => {
  const passed: Uint8Array[] = [];
  const read = async () => {
    for await (const chunk of observeHead(chunksOf([Buffer.alloc(30)]), refuse)) passed.push(chunk);
  };
  await expect(read()).rejects.toThrow('no image');
  expect(passed).toEqual([]);
});

function refuse(): never {
  throw new Error('no image');
}

async function* chunksOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
