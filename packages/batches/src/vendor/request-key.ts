/** Identifies a request at the vendor. Vendors accept only some characters, so it is not the client's `custom_id`. */
export function requestKey(batchId: string, line: number): string {
  return `${digitsOf(batchId)}-${line}`;
}

/** Returns the number of the line that a key identifies. Undefined if it belongs to another batch. */
export function lineOfKey(batchId: string, key: string): number | undefined {
  const prefix = `${digitsOf(batchId)}-`;
  const line = key.startsWith(prefix) ? Number(key.slice(prefix.length)) : 0;
  return Number.isSafeInteger(line) && line > 0 ? line : undefined;
}

function digitsOf(batchId: string): string {
  return batchId.slice('batch_'.length);
}
