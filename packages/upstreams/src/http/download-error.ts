/**
 * Why a download failed.
 *
 * - `invalid_url`: not an absolute http or https URL, or one with a password in it.
 * - `forbidden_address`: the host is not on the public internet.
 * - `too_many_redirects`, `too_large`, `idle`: past the limits.
 * - `status`: the server answered, but not with the file.
 * - `network`: no connection, or it broke.
 * - `aborted`: the caller's signal.
 */
export type DownloadFailure =
  | 'invalid_url'
  | 'forbidden_address'
  | 'too_many_redirects'
  | 'too_large'
  | 'idle'
  | 'status'
  | 'network'
  | 'aborted';

const SENTENCES: Record<DownloadFailure, string> = {
  invalid_url: 'The URL is not a plain http or https URL',
  forbidden_address: 'The URL does not lead to a public address',
  too_many_redirects: 'The URL redirects too often',
  too_large: 'The file is larger than allowed',
  idle: 'The server of the file went silent',
  status: 'The server of the file refused it',
  network: 'The file could not be fetched',
  aborted: 'The download was stopped',
};

/** A download that brought no file, or not all of it. The message may be shown to clients; `cause` is for nobody: it may name hosts. */
export class DownloadError extends Error {
  readonly failure: DownloadFailure;
  /** The server's answer, with `status`. */
  readonly status: number | undefined;

  constructor(failure: DownloadFailure, details: { status?: number; cause?: unknown } = {}) {
    const status = details.status === undefined ? '' : ` (HTTP ${details.status})`;
    super(SENTENCES[failure] + status, { cause: details.cause });
    this.name = 'DownloadError';
    this.failure = failure;
    this.status = details.status;
  }
}
