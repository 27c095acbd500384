export interface RealtimeFrame {
  data: Uint8Array;
  isText: boolean;
}

/** Close status of a WebSocket (RFC 6455 §7.4). 1005 means closed without a code; 1006 means a broken connection. */
export interface RealtimeClose {
  code: number;
  reason: string;
  /** The code with which the gateway closed the connection because a message was invalid (1002, 1007, or 1009). */
  fault?: number;
}

export interface RealtimeListener {
  frame(frame: RealtimeFrame): void;
  alive(): void;
  /** Called once when either end has closed. No other method is called afterwards. */
  closed(close: RealtimeClose): void;
}

/** One end of a realtime session: an open WebSocket that responds to pings automatically. */
export interface RealtimeSocket {
  /** Starts reading. Data that arrives earlier is buffered. */
  listen(listener: RealtimeListener): void;
  /** @param sent called when the message has been written; never called if the socket is closing */
  send(frame: RealtimeFrame, sent?: () => void): void;
  readonly waitingBytes: number;
  readonly readBytes: number;
  /**
   * Closes the connection if data is waiting to be sent and, for `ms`, the peer neither accepts nor sends a byte.
   * Detection takes up to twice that time. Each call replaces the previous setting.
   */
  closeWhenStalled(ms: number): void;
  /** Stops reading until {@link resume}. Data that has already arrived may still be delivered. */
  pause(): void;
  resume(): void;
  ping(): void;
  /** Closes after pending messages are sent. Replaces reserved codes and truncates reasons that are too long. */
  close(code: number, reason?: string): void;
  terminate(): void;
}

export interface RealtimeCall {
  /** The model's name at the upstream; absent if the session has no model. */
  model?: string;
  query: readonly (readonly [name: string, value: string])[];
  beta?: string;
  /** Aborts only the handshake. To end an open session, close its socket. */
  signal: AbortSignal;
}

export interface RealtimeCapability {
  /**
   * @throws UpstreamRefusalError if the upstream refused the session
   * @throws an `UpstreamError`-like error with `failure` and `sent` if the upstream did not respond
   */
  open(call: RealtimeCall): Promise<RealtimeSocket>;
  scrub(text: string): string;
  /** Whether a message contains the account's credential. It must be fast, because it is called for every message. */
  holdsCredential(data: Uint8Array): boolean;
}
