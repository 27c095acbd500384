/** The Redis keys of the ledger. They share the hash tag of all keys of a deployment. */
export interface LedgerKeys {
  /** A stream of entries that no worker has stored yet. Each has one field `entry`, a {@link LedgerEntry} as JSON. */
  stream: string;
  /** The number of entries that were dropped because the stream was full. */
  dropped: string;
  /** A lock, so that one worker at a time moves entries to the store. */
  drainer: string;
  /** A hash with the numbers of entries that workers have `stored`, and that were `unreadable`. */
  drained: string;
  /**
   * A short stream with a message for each batch that is in the store. Its field `keys` is a JSON object with the number
   * of entries of each API key. Consoles learn from it that lists have changed.
   */
  stored: string;
}

/** Maximum length of the stream. Entries beyond it are dropped and counted. The Lua scripts know it as an argument. */
export const MAX_STREAM_ENTRIES = 1_000_000;

export function ledgerKeys(prefix: string): LedgerKeys {
  const stream = `{${prefix}}:ledger`;
  return {
    stream,
    dropped: `${stream}:dropped`,
    drainer: `${stream}:drainer`,
    drained: `${stream}:drained`,
    stored: `${stream}:stored`,
  };
}
