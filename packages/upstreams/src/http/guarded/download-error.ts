/**
 * Why a download failed.
 *
 * - `invalid_url`: the URL is not an absolute HTTP or HTTPS URL, or it contains a password.
 * - `forbidden_address`: the host is not on the public internet.
 * - `too_many_redirects`, `too_large`, `idle`: a limit was exceeded.
 * - `status`: the server responded without the file.
 * - `network`: the connection could not be opened, or it broke.
 * - `aborted`: the caller's signal was aborted.
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
  invalid_url: 'The URL is not a plain HTTP or HTTPS URL',
  forbidden_address: 'The URL does not resolve to a public address',
  too_many_redirects: 'The URL redirects too often',
  too_large: 'The file is larger than allowed',
  idle: 'The server of the file stopped responding',
  status: 'The server of the file refused the request',
  network: 'The file could not be fetched',
  aborted: 'The download was aborted',
};

/** A failed or incomplete download. Clients may see the message but not `cause`, which may contain host names. */
export class DownloadError extends Error {
  readonly failure: DownloadFailure;
  readonly status: number | undefined;

  constructor(failure: DownloadFailure, details: { status?: number; cause?: unknown } = {}) {
    const status = details.status === undefined ? '' : ` (HTTP ${details.status})`;
    super(`${SENTENCES[failure]}${status}.`, { cause: details.cause });
    this.name = 'DownloadError';
    this.failure = failure;
    this.status = details.status;
  }
}
