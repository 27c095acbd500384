/** Consumes a response body. */
export interface ResponseSink {
  /** @returns false to pause until {@link ResponseBody.resume} */
  data(chunk: Uint8Array): boolean;
  /** The body is complete. */
  end(): void;
  /** The body broke off, or the call was aborted. No call follows. */
  fail(error: unknown): void;
}

/** An unread body. The receiver must feed it to a sink, collect it, or abort it. */
export interface ResponseBody {
  /** Streams to a sink. Data that has already arrived is delivered immediately. */
  feed(sink: ResponseSink): void;
  /** Continues after `data` returned false. */
  resume(): void;
  /** Reads the complete body. @throws if it breaks off or exceeds `maxBytes`. */
  collect(maxBytes: number): Promise<Uint8Array>;
  /** Aborts the call. The connection is closed if the body is incomplete. */
  abort(): void;
}
