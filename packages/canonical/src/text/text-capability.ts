import type { TextProtocolName } from './text-protocol-name.ts';
import type { TextQuirks } from './text-quirks.ts';

/** Which of an upstream's text operations is called. */
export type TextOperation = 'generate' | 'count-tokens' | 'compact' | 'complete';

/** A model at an upstream, for one request. */
export interface TextTarget {
  /** The upstream's name in the configuration. */
  upstream: string;
  /** Whose account it is, short and not telling: seals are bound to it. */
  account: string;
  protocol: TextProtocolName;
  /** The model's name there. */
  model: string;
  quirks: TextQuirks;
}

/** One call of an upstream. */
export interface TextCall {
  operation: TextOperation;
  /** The model's name at the upstream. */
  model: string;
  /** Whether a stream of server-sent events is wanted. */
  stream: boolean;
  /** JSON in the upstream's protocol, whole or in pieces. */
  body: string | Uint8Array | readonly Uint8Array[];
  /** Headers of the client that equal ends pass on, such as `anthropic-beta`; the upstream's kind picks what it knows. */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Ends the call, and the answer's body while it is under way. */
  signal: AbortSignal;
}

/** A read-only call below an answer that the upstream keeps. */
export interface StoredResponseCall {
  method: 'GET' | 'DELETE' | 'POST';
  /** What follows the base of the answers, e.g. `/resp_1/input_items?limit=2`. */
  path: string;
  signal: AbortSignal;
}

/** Takes an answer's body piece by piece. */
export interface ResponseSink {
  /** @returns false to be fed no more until {@link ResponseBody.resume} */
  data(chunk: Uint8Array): boolean;
  /** The body is whole. */
  end(): void;
  /** The body broke off, or the call was ended. Nothing follows. */
  fail(error: unknown): void;
}

/** A body that has not been read yet. It must be given to a sink, collected or let go. */
export interface ResponseBody {
  /** Feeds a sink; what came before is fed at once. */
  feed(sink: ResponseSink): void;
  /** Goes on after `data` said false. */
  resume(): void;
  /** Reads everything. @throws when it breaks off or is longer than `maxBytes`. */
  collect(maxBytes: number): Promise<Uint8Array>;
  /** Ends the call at once; the connection is closed when the body is not through. */
  abort(): void;
}

/** An upstream's answer, whatever its status. */
export interface UpstreamTextResponse {
  status: number;
  /** By lower-case name; those alone that a client or a protocol may see. */
  headers: Readonly<Record<string, string>>;
  body: ResponseBody;
}

/** How an upstream serves text. */
export interface TextCapability {
  protocol: TextProtocolName;
  /** {@link TextTarget.account} */
  account: string;
  /** What the operator has set for all models of this upstream. */
  quirks: TextQuirks;
  /** Whether the upstream has the legacy completions call. */
  completions: boolean;
  /**
   * Calls the upstream. Answers as soon as its status is known.
   * @throws an `UpstreamError`-like error with `failure` and `sent` when there is no answer
   */
  open(call: TextCall): Promise<UpstreamTextResponse>;
  /** Reaches answers that the upstream keeps itself. Absent: it keeps none. */
  openStored?(call: StoredResponseCall): Promise<UpstreamTextResponse>;
  /** Takes out what no client may see: the account's key, the host. */
  scrub(text: string): string;
}
