/** Encodes big-endian integers. */
export function numbers(bits: 8 | 16 | 32, ...values: number[]): Buffer {
  const bytes = bits / 8;
  const out = Buffer.alloc(values.length * bytes);
  values.forEach((value, index) => out.writeUIntBE(value, index * bytes, bytes));
  return out;
}

/** Encodes an ISO base media box (ISO/IEC 14496-12 §4.2): size, four-letter type, and content. */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([numbers(32, body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** Encodes a box with version 0 and 24 flag bits. */
export function fullBox(type: string, flags: number, ...content: Uint8Array[]): Buffer {
  return box(type, numbers(32, flags), ...content);
}
