import { Readable } from 'node:stream';
import {
  type ContentOutcome,
  type JobOutput,
  type ReturnedOutput,
  type UpstreamJob,
  UPSTREAM_MESSAGES,
  unexpectedMessage,
} from '@sluice/canonical';
import { DownloadError, type DownloadFailure } from '../http/guarded/download-error.ts';
import type { Downloaded } from '../http/guarded/download.ts';
import type { SendableHeader } from '../http/http-headers.ts';
import { cappedRetryAfterMs } from '../http/retry-after.ts';
import { discard } from '../http/send-request.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import type { UpstreamContext } from '../contract/upstream.ts';

const DENIED = new Set([401, 403, 404, 410]);
/** Download failures after which the file is denied, because only the operator can allow the address. */
const FORBIDDEN = new Set<DownloadFailure>(['invalid_url', 'forbidden_address', 'too_many_redirects']);

const NOT_A_FILE = /^(application\/(json|xml)|text\/)/i;

export interface ResultAccess {
  credential?: ((url: URL) => Readonly<Record<string, string>>) | undefined;
  /**
   * Polls for the file or its current URL. Returns `gone` if the vendor has deleted the file, and undefined if the poll
   * does not show it.
   */
  renew: () => Promise<ReturnedOutput | 'gone' | undefined>;
}

/**
 * Opens a finished file by its URL. If the vendor rejects the URL, polls once for a new URL, because most vendors sign
 * a new one for each poll. If the new URL is also rejected, the outcome is `denied`.
 */
export async function openResult(
  context: UpstreamContext,
  job: UpstreamJob,
  output: JobOutput,
  access: ResultAccess,
  signal: AbortSignal,
): Promise<ContentOutcome> {
  return openedOr(context, job, async () => {
    const first = output.url === undefined ? undefined : await openUrl(output.url);
    if (first && !DENIED.has(first.status)) return readFile(first, context.now(), NOT_A_FILE);
    if (first) discard(first.body);
    const fresh = await access.renew();
    if (fresh === 'gone') return { kind: 'expired', message: UPSTREAM_MESSAGES.fileGone };
    if (fresh?.bytes) return { kind: 'opened', body: Readable.from([fresh.bytes]), bytes: fresh.bytes.byteLength };
    if (fresh?.url === undefined) {
      return { kind: 'unclear', message: UPSTREAM_MESSAGES.noFileUrl };
    }
    if (first && fresh.url === output.url) return denied(first.status);
    const second = await openUrl(fresh.url);
    if (!DENIED.has(second.status)) return readFile(second, context.now(), NOT_A_FILE);
    discard(second.body);
    return denied(second.status);
  });

  function openUrl(url: string): Promise<Downloaded> {
    return downloadFor(context, job, access.credential, signal)(url);
  }
}

/** Creates a downloader for a job's files. It sends the credential only to the origin that accepted the job. */
export function downloadFor(
  context: UpstreamContext,
  job: UpstreamJob,
  credential: ResultAccess['credential'],
  signal: AbortSignal,
): (url: string, headers?: Partial<Record<SendableHeader, string>>) => Promise<Downloaded> {
  const credentialsOrigin = new URL(job.baseUrl).origin;
  return (url, headers = {}) => {
    const target = URL.parse(url) ?? undefined;
    return context.download(url, {
      headers,
      credentials: target && credential?.(target),
      credentialsOrigin,
      signal,
    });
  };
}

export async function openedOr(
  context: UpstreamContext,
  job: UpstreamJob,
  open: () => Promise<ContentOutcome>,
): Promise<ContentOutcome> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof UpstreamError) return { kind: 'unclear', message: error.message };
    if (!(error instanceof DownloadError)) throw error;
    const { failure } = error;
    const details = { failure, code: errorCode(error.cause) };
    context.logger.warn({ upstream: context.name, task: job.taskId, ...details }, 'content could not be opened');
    // Final, because a retry would download the same file, which is too large.
    if (failure === 'too_large') return { kind: 'refused', code: 'provider_error', message: error.message };
    if (FORBIDDEN.has(failure)) return { kind: 'denied', code: 'provider_error', message: error.message };
    return { kind: 'unclear', message: error.message };
  }
}

function denied(status: number): ContentOutcome {
  return status === 410
    ? { kind: 'expired', message: UPSTREAM_MESSAGES.fileGone }
    : { kind: 'denied', message: unexpectedMessage(`HTTP ${status}`, 'download') };
}

/** Maps a download to an outcome. @param notFile media types that are never a file */
export function readFile({ status, headers, body, bytes }: Downloaded, now: number, notFile: RegExp): ContentOutcome {
  if (status === 200 && !notFile.test(headers['content-type'] ?? '')) return { kind: 'opened', body, bytes };
  discard(body);
  const what = status === 200 ? 'a response that is not a file' : `HTTP ${status}`;
  const message = unexpectedMessage(what, 'download');
  return { kind: 'unclear', message, retryAfterMs: cappedRetryAfterMs(headers, now) };
}
