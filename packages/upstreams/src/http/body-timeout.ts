const MIB = 1024 * 1024;
const MS_PER_MIB = 1_000;

/**
 * Returns the maximum idle time of a call with a large body, in milliseconds. Vendors read and check it before they
 * respond, at least a MiB per second.
 * @param minMs the idle time of a call without a body
 */
export function bodyTimeoutMs(minMs: number, bytes = 0): number {
  return minMs + Math.ceil((bytes / MIB) * MS_PER_MIB);
}
