import type { ResponseBody } from '../exchange/response-body.ts';
import type { UpstreamProtocolName } from './text-protocol-name.ts';
import type { TextQuirks } from './text-quirks.ts';

export type TextOperation = 'generate' | 'count-tokens' | 'compact' | 'complete';

export interface TextTarget {
  upstream: string;
  /** The credential of the upstream's pool. Absent if the upstream has no pool. */
  credential?: string | undefined;
  /** A short identifier that does not reveal the account. Opaque tokens are bound to it. */
  account: string;
  protocol: UpstreamProtocolName;
  model: string;
  quirks: TextQuirks;
}

/** A client's headers by lowercase name. */
export type ClientHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface TextCall {
  operation: TextOperation;
  model: string;
  stream: boolean;
  /** JSON in the upstream's protocol, complete or in chunks. */
  body: string | Uint8Array | readonly Uint8Array[];
  /** Called when the chunks of a body have been sent, so that their memory can be freed. Not called after an abort. */
  onBodySent?: () => void;
  /** Whether the body refers to files that the gateway has stored at the upstream. */
  refersToFiles?: boolean;
  /** The client's headers (e.g. `anthropic-beta`). Each upstream kind passes on the headers that it supports. */
  headers?: ClientHeaders;
  /** Headers that continue the request's trace at the upstream. Absent unless traces are exported. */
  traceHeaders?: Readonly<Record<string, string>>;
  /** Aborts the call, or its response body during streaming. */
  signal: AbortSignal;
}

/** A file to store at a vendor. */
export interface VendorUpload {
  filename: string;
  mediaType: string;
  bytes: number;
  /** Unix milliseconds. After this time, the vendor may delete the file. */
  expiresAt: number;
  /** Read at most once, with backpressure. */
  source: AsyncIterable<Uint8Array>;
}

export interface VendorFile {
  /** As requests refer to it: an id, or a URI. */
  id: string;
  /** The time at which the vendor deletes the file, in Unix milliseconds, if it reports one. */
  expiresAt?: number;
}

/**
 * A vendor's own store of files. Methods throw an `UpstreamRefusalError`, or an `UpstreamError`-like error if the
 * upstream did not respond.
 */
export interface VendorFiles {
  /** Whether requests can refer to a stored file of this media type. */
  accepts(mediaType: string): boolean;
  upload(file: VendorUpload, signal: AbortSignal): Promise<VendorFile>;
  remove(id: string, signal: AbortSignal): Promise<void>;
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
  protocol: UpstreamProtocolName;
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
  /** Absent if the upstream stores no files. */
  files?: VendorFiles | undefined;
  scrub(text: string): string;
}
