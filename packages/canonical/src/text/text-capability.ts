import type { ResponseBody } from '../exchange/response-body.ts';
import type { TextProtocolName } from './text-protocol-name.ts';
import type { TextQuirks } from './text-quirks.ts';

export type TextOperation = 'generate' | 'count-tokens' | 'compact' | 'complete';

export interface TextTarget {
  upstream: string;
  /** A short identifier that does not reveal the account. Opaque tokens are bound to it. */
  account: string;
  protocol: TextProtocolName;
  model: string;
  quirks: TextQuirks;
}

export interface TextCall {
  operation: TextOperation;
  model: string;
  stream: boolean;
  /** JSON in the upstream's protocol, complete or in chunks. */
  body: string | Uint8Array | readonly Uint8Array[];
  /** Called when the chunks of a body have been sent, so that their memory can be freed. Not called after an abort. */
  onBodySent?: () => void;
  /** The client's headers (e.g. `anthropic-beta`). Each upstream kind passes on the headers that it supports. */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Headers that continue the request's trace at the upstream. Absent unless traces are exported. */
  traceHeaders?: Readonly<Record<string, string>>;
  /** Aborts the call, or its response body during streaming. */
  signal: AbortSignal;
}

export interface StoredResponseCall {
  method: 'GET' | 'DELETE' | 'POST';
  path: string;
  signal: AbortSignal;
}

export interface UpstreamTextResponse {
  status: number;
  /** Keyed by lowercase name. Contains only headers that a client or a protocol codec may see. */
  headers: Readonly<Record<string, string>>;
  body: ResponseBody;
}

export interface TextCapability {
  protocol: TextProtocolName;
  account: string;
  quirks: TextQuirks;
  completions: boolean;
  /**
   * Resolves when the response status is known.
   * @throws an `UpstreamError`-like error with `failure` and `sent` if the upstream did not respond
   */
  open(call: TextCall): Promise<UpstreamTextResponse>;
  /** Absent if the upstream stores no responses. */
  openStored?(call: StoredResponseCall): Promise<UpstreamTextResponse>;
  scrub(text: string): string;
}
