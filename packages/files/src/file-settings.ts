/** All processes must use the same settings. */
export interface FileSettings {
  /** Maximum bytes of all files of an owner. Parts of pending uploads count. */
  ownerBytes: number;
  /** Maximum files of an owner. Pending uploads count. */
  ownerFiles: number;
  /** Maximum bytes of a file that is written in parts without a declared size. */
  partedBytes: number;
  /** Time after which a file expires unless its owner chose a shorter time. */
  retentionMs: number;
}

/** @param chosenMs the lifetime that the owner chose */
export function lifetimeOf({ retentionMs }: FileSettings, chosenMs: number = retentionMs): number {
  return Math.min(chosenMs, retentionMs);
}
