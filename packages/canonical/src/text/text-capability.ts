import type { ResponseBody } from '../response-body.ts';
import type { TextProtocolName } from './text-protocol-name.ts';
import type { TextQuirks } from './text-quirks.ts';

export type TextOperation = 'generate' | 'count-tokens' | 'compact' | 'complete';

export interface TextTarget {
  upstream: string;
  /** Short identifier that reveals nothing. Opaque tokens are bound to it. */
  account: string;
  protocol: TextProtocolName;
  model: string;
  quirks: TextQuirks;
}

export interface TextCall {
  operation: TextOperation;
  model: string;
  stream: boolean;
  /** JSON in the upstream's protocol, as one value or in chunks. */
  body: string | Uint8Array | readonly Uint8Array[];
  /** The client's headers, such as `anthropic-beta`. The upstream kind selects those it knows. */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborts the call, or its response body while it streams. */
  signal: AbortSignal;
}

export interface StoredResponseCall {
  method: 'GET' | 'DELETE' | 'POST';
  path: string;
  signal: AbortSignal;
}

export interface UpstreamTextResponse {
  status: number;
  /** By lower-case name; only those that a client or a protocol may see. */
  headers: Readonly<Record<string, string>>;
  body: ResponseBody;
}

export interface TextCapability {
  protocol: TextProtocolName;
  account: string;
  quirks: TextQuirks;
  completions: boolean;
  /**
   * Resolves when the status is known.
   * @throws an `UpstreamError`-like error with `failure` and `sent` if there is no response
   */
  open(call: TextCall): Promise<UpstreamTextResponse>;
  /** Absent: the upstream stores no responses. */
  openStored?(call: StoredResponseCall): Promise<UpstreamTextResponse>;
  scrub(text: string): string;
}
