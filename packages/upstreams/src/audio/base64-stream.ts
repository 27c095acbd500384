/** Encodes a byte stream as base64. Each chunk encodes a multiple of three bytes, so the chunks can be joined. */
export async function* base64Of(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    const all = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    const encodable = all.byteLength - (all.byteLength % 3);
    rest = all.subarray(encodable);
    if (encodable > 0) yield ascii(all.subarray(0, encodable));
  }
  if (rest.byteLength > 0) yield ascii(rest);
}

function ascii(bytes: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'), 'latin1');
}
