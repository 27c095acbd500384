/** Writes bits in H.264 syntax (ITU-T H.264), most significant bit first. */
export function createBitWriter(capacity = 64) {
  let buffer = new Uint8Array(capacity);
  let length = 0;
  let pending = 0;
  let pendingBits = 0;

  function grow(bytes: number): void {
    if (length + bytes <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + bytes));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }

  function bit(value: number): void {
    pending = (pending << 1) | value;
    pendingBits += 1;
    if (pendingBits < 8) return;
    grow(1);
    buffer[length] = pending;
    length += 1;
    pending = 0;
    pendingBits = 0;
  }

  function bits(value: number, count: number): void {
    for (let shift = count - 1; shift >= 0; shift -= 1) bit((value >>> shift) & 1);
  }

  function align(): void {
    while (pendingBits > 0) bit(0);
  }

  return {
    bits,
    align,
    /** Writes an unsigned Exp-Golomb code, `ue(v)`, for values up to 2^31. */
    unsigned(value: number): void {
      const width = 32 - Math.clz32(value + 1);
      bits(0, width - 1);
      bits(value + 1, width);
    },
    /** Reserves bytes at an aligned position for the caller to fill. */
    reserve(bytes: number): Uint8Array {
      if (pendingBits > 0) throw new Error('Bytes can only be reserved at an aligned position.');
      grow(bytes);
      length += bytes;
      return buffer.subarray(length - bytes, length);
    },
    /** Appends the stop bit and padding (`rbsp_trailing_bits`). */
    finish(): Uint8Array {
      bit(1);
      align();
      return buffer.subarray(0, length);
    },
  };
}

export type BitWriter = ReturnType<typeof createBitWriter>;
