import { IMAGE_MAGIC_BYTES } from './image-type.ts';

/**
 * Passes on a body, and reports its first bytes, which show the type of an image: {@link IMAGE_MAGIC_BYTES}, or all bytes
 * of a shorter body.
 * @param onHead called once, before the chunk that completes these bytes is passed on. If it throws, the body ends.
 */
export async function* observeHead(
  body: AsyncIterable<Uint8Array>,
  onHead: (head: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  for await (const chunk of body) {
    if (head.length < IMAGE_MAGIC_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, IMAGE_MAGIC_BYTES - head.length)]);
      if (head.length >= IMAGE_MAGIC_BYTES) onHead(head);
    }
    yield chunk;
  }
  if (head.length < IMAGE_MAGIC_BYTES) onHead(head);
}
