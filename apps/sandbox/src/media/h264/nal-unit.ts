/** `nal_unit_type` (H.264 table 7-1) with `nal_ref_idc` 3, because every unit is a reference. */
const HEADERS = { slice: 0x61, idr: 0x65, sequence: 0x67, image: 0x68 } as const;

export type NalKind = keyof typeof HEADERS;

/** Returns where emulation prevention bytes are needed: before the third byte of 00 00 00 to 00 00 03. */
function escapePositions(payload: Uint8Array): number[] {
  const positions: number[] = [];
  let zeros = 0;
  for (let index = 0; index < payload.length; index += 1) {
    const byte = payload[index] ?? 0;
    if (zeros >= 2 && byte <= 3) {
      positions.push(index);
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return positions;
}

/** Returns one header byte and the payload with emulation prevention bytes (7.4.1). */
export function nalUnit(kind: NalKind, payload: Uint8Array): Uint8Array {
  const positions = escapePositions(payload);
  const unit = new Uint8Array(1 + payload.length + positions.length);
  unit[0] = HEADERS[kind];
  let from = 0;
  let to = 1;
  for (const position of positions) {
    unit.set(payload.subarray(from, position), to);
    to += position - from;
    unit[to] = 3;
    to += 1;
    from = position;
  }
  unit.set(payload.subarray(from), to);
  return unit;
}
