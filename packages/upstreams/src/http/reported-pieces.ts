/** Larger than the buffer of any socket, so that undici waits until the socket has passed the piece on. */
const WAITED_BYTES = 128 * 1024;

/**
 * Yields a body's pieces, and then reports that no socket refers to their memory anymore. Small pieces are copied,
 * because undici does not wait for them. If the call ends early, nothing is reported.
 */
export function* reportedPieces(pieces: readonly Uint8Array[], onSent: () => void): Generator<Uint8Array> {
  for (const piece of pieces) yield piece.byteLength < WAITED_BYTES ? Uint8Array.from(piece) : piece;
  onSent();
}
