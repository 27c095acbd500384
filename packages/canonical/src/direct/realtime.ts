/** One message of a realtime session, whole, as it came. */
export interface RealtimeFrame {
  /** Of a text, its UTF-8. */
  data: Uint8Array;
  isText: boolean;
}

/** How a web socket ended: RFC 6455 §7.4; 1005 stands for a close without a code, 1006 for a connection that broke. */
export interface RealtimeClose {
  code: number;
  reason: string;
  /** The code with which we closed it ourselves because of what came: 1002, 1007 or 1009. */
  fault?: number;
}

/** Who is told of what comes from a {@link RealtimeSocket}. */
export interface RealtimeListener {
  frame(frame: RealtimeFrame): void;
  /** A ping or a pong: somebody is there. */
  alive(): void;
  /** Once, whoever began it; nothing comes after. */
  closed(close: RealtimeClose): void;
}

/** One end of a realtime session: an open web socket that answers pings by itself. */
export interface RealtimeSocket {
  /** Begins to read. Until then nothing is lost, nor is it read further than what has come at once. */
  listen(listener: RealtimeListener): void;
  /** Sends a message after those before it; does nothing on a socket that closes. @param sent called when it has left */
  send(frame: RealtimeFrame, sent?: () => void): void;
  /** Bytes that were sent and have not left. */
  readonly waitingBytes: number;
  /** Bytes that have come so far, those of a message that is not whole yet as well. */
  readonly readBytes: number;
  /**
   * Closes the connection at once when something waits for the other side, which for this long takes not a byte of it and
   * sends none. It is noticed within twice that time. The last call counts.
   */
  cutWhenStuck(ms: number): void;
  /** Reads no more until {@link resume}; what has come already may still be told. */
  pause(): void;
  resume(): void;
  ping(): void;
  /** Closes after what was sent. Codes that may not be sent and reasons that are too long are made fit. */
  close(code: number, reason?: string): void;
  /** Closes the connection at once. */
  terminate(): void;
}

/** What an upstream is asked for a session with. */
export interface RealtimeCall {
  /** The model's name at the upstream; absent where the session names none. */
  model?: string;
  /** Query parameters of the client that go to the upstream, such as `intent`. */
  query: readonly (readonly [name: string, value: string])[];
  /** The client's `OpenAI-Beta`. */
  beta?: string;
  /** Ends the opening; the open session is ended by its socket. */
  signal: AbortSignal;
}

/** How an upstream serves realtime sessions. */
export interface RealtimeCapability {
  /**
   * Opens a session, not yet read from.
   * @throws UpstreamRefusalError when the upstream has said no
   * @throws an `UpstreamError`-like error with `failure` and `sent` when there is no answer
   */
  open(call: RealtimeCall): Promise<RealtimeSocket>;
  /** Takes out of a text what tells whose account it was written for. */
  scrub(text: string): string;
  /** Whether there is a credential of the account in what the upstream sent; cheap, since every message is searched. */
  holdsCredential(data: Uint8Array): boolean;
}
