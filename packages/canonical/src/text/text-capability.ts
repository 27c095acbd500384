import type { ResponseBody } from '../response-body.ts';
import type { TextProtocolName } from './text-protocol-name.ts';
import type { TextQuirks } from './text-quirks.ts';

export type TextOperation = 'generate' | 'count-tokens' | 'compact' | 'complete';

/** A model at an upstream, for one request. */
export interface TextTarget {
  /** The upstream's name in the configuration. */
  upstream: string;
  /** Short identifier that reveals nothing. Opaque tokens are bound to it. */
  account: string;
  protocol: TextProtocolName;
  /** The model's name at the upstream. */
  model: string;
  quirks: TextQuirks;
}

export interface TextCall {
  operation: TextOperation;
  /** The model's name at the upstream. */
  model: string;
  /** Whether to request server-sent events. */
  stream: boolean;
  /** JSON in the upstream's protocol, as one value or in chunks. */
  body: string | Uint8Array | readonly Uint8Array[];
  /**
   * Client headers for an upstream of the same protocol, such as `anthropic-beta`. The upstream kind selects those it
   * knows.
   */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborts the call, or its response body while it streams. */
  signal: AbortSignal;
}

/** A call on a response that the upstream stores. */
export interface StoredResponseCall {
  method: 'GET' | 'DELETE' | 'POST';
  /** Path below the base of responses, such as `/resp_1/input_items?limit=2`. */
  path: string;
  signal: AbortSignal;
}

/** An upstream's response with any status. */
export interface UpstreamTextResponse {
  status: number;
  /** By lower-case name; only headers that a client or a protocol may see. */
  headers: Readonly<Record<string, string>>;
  body: ResponseBody;
}

export interface TextCapability {
  protocol: TextProtocolName;
  /** {@link TextTarget.account} */
  account: string;
  /** The operator's settings for all models of this upstream. */
  quirks: TextQuirks;
  /** Whether the upstream serves legacy completions. */
  completions: boolean;
  /**
   * Calls the upstream and resolves when the status is known.
   * @throws an `UpstreamError`-like error with `failure` and `sent` if there is no response
   */
  open(call: TextCall): Promise<UpstreamTextResponse>;
  /** Calls a response stored at the upstream. Absent: it stores none. */
  openStored?(call: StoredResponseCall): Promise<UpstreamTextResponse>;
  /** Removes the account's key and the host from a text. */
  scrub(text: string): string;
}
