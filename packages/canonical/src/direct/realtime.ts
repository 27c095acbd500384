/** One complete message of a realtime session. */
export interface RealtimeFrame {
  /** UTF-8 for text. */
  data: Uint8Array;
  isText: boolean;
}

/** Close status of a web socket (RFC 6455 §7.4). 1005: closed without a code. 1006: the connection broke. */
export interface RealtimeClose {
  code: number;
  reason: string;
  /** The code with which this end closed because of an invalid message: 1002, 1007, or 1009. */
  fault?: number;
}

export interface RealtimeListener {
  frame(frame: RealtimeFrame): void;
  /** A ping or pong arrived. */
  alive(): void;
  /** Called once, whichever end closed; no call follows. */
  closed(close: RealtimeClose): void;
}

/** One end of a realtime session: an open web socket that answers pings itself. */
export interface RealtimeSocket {
  /** Starts reading. Until then the socket buffers only data that has already arrived. */
  listen(listener: RealtimeListener): void;
  /**
   * Sends a message in order; does nothing on a closing socket. @param sent called when the message has been written
   */
  send(frame: RealtimeFrame, sent?: () => void): void;
  /** Bytes sent but not yet written to the connection. */
  readonly waitingBytes: number;
  /** Bytes received so far, including those of an incomplete message. */
  readonly readBytes: number;
  /**
   * Closes the connection if data waits for the peer, which for `ms` neither accepts nor sends a byte. Detection takes
   * up to twice that time. The last call wins.
   */
  cutWhenStuck(ms: number): void;
  /** Stops reading until {@link resume}. Data that has already arrived may still be delivered. */
  pause(): void;
  resume(): void;
  ping(): void;
  /** Closes after pending messages. Replaces reserved codes and truncates long reasons. */
  close(code: number, reason?: string): void;
  /** Closes the connection immediately. */
  terminate(): void;
}

export interface RealtimeCall {
  /** The model's name at the upstream; absent if the session names none. */
  model?: string;
  /** The client's query parameters for the upstream, such as `intent`. */
  query: readonly (readonly [name: string, value: string])[];
  /** The client's `OpenAI-Beta` header. */
  beta?: string;
  /** Aborts the handshake. The socket itself ends an open session. */
  signal: AbortSignal;
}

export interface RealtimeCapability {
  /**
   * Opens a session; reading starts with `listen`.
   * @throws UpstreamRefusalError if the upstream refused the session
   * @throws an `UpstreamError`-like error with `failure` and `sent` if there is no response
   */
  open(call: RealtimeCall): Promise<RealtimeSocket>;
  /** Removes account details from a text. */
  scrub(text: string): string;
  /** Whether upstream data contains a credential of the account. Every message is searched, so this must be cheap. */
  holdsCredential(data: Uint8Array): boolean;
}
