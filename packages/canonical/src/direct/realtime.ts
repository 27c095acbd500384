export interface RealtimeFrame {
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
  alive(): void;
  /** Called once, whichever end closed; no call follows. */
  closed(close: RealtimeClose): void;
}

/** One end of a realtime session: an open web socket that answers pings itself. */
export interface RealtimeSocket {
  /** Starts reading. Until then the socket buffers only data that has already arrived. */
  listen(listener: RealtimeListener): void;
  /** @param sent called when the message has been written; never on a closing socket */
  send(frame: RealtimeFrame, sent?: () => void): void;
  readonly waitingBytes: number;
  readonly readBytes: number;
  /**
   * Closes the connection if data waits to be sent and the peer neither accepts nor sends a byte for `ms`. Detection
   * takes up to twice that time. The last call wins.
   */
  cutWhenStuck(ms: number): void;
  /** Stops reading until {@link resume}. Data that has already arrived may still be delivered. */
  pause(): void;
  resume(): void;
  ping(): void;
  /** Closes after pending messages. Replaces reserved codes and truncates long reasons. */
  close(code: number, reason?: string): void;
  terminate(): void;
}

export interface RealtimeCall {
  /** The name at the upstream; absent if the session names no model. */
  model?: string;
  query: readonly (readonly [name: string, value: string])[];
  beta?: string;
  /** Aborts the handshake. The socket itself ends an open session. */
  signal: AbortSignal;
}

export interface RealtimeCapability {
  /**
   * @throws UpstreamRefusalError if the upstream refused the session
   * @throws an `UpstreamError`-like error with `failure` and `sent` if there is no response
   */
  open(call: RealtimeCall): Promise<RealtimeSocket>;
  scrub(text: string): string;
  /** Must be cheap: it searches every message. */
  holdsCredential(data: Uint8Array): boolean;
}
