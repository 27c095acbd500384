import { Readable } from 'node:stream';
import type { ContentOutcome, JobOutput, MadeOutput, UpstreamJob } from '@sluice/canonical';
import { DownloadError, type DownloadFailure } from '../http/download-error.ts';
import type { Downloaded } from '../http/download.ts';
import type { SendableHeader } from '../http/http-headers.ts';
import { cappedRetryAfterMs } from '../http/retry-after.ts';
import { discard } from '../http/send-request.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import type { UpstreamContext } from '../upstream.ts';

/** Answers of object stores to a URL whose time is over, or whose file has not reached them yet. */
const DENIED = new Set([401, 403, 404, 410]);
/** Places that are not gone to, unless the operator comes to allow them. */
const FORBIDDEN = new Set<DownloadFailure>(['invalid_url', 'forbidden_address', 'too_many_redirects']);

/** What {@link openResult} needs beside the context. */
export interface ResultAccess {
  /** Headers with the account's credential, for its own origin alone; absent: none are sent anywhere. */
  credential?: (url: URL) => Readonly<Record<string, string>>;
  /**
   * Asks the vendor where the file is now, or for the file itself; `gone` when the vendor says that it has removed it,
   * nothing when it cannot be told.
   */
  renew: () => Promise<MadeOutput | 'gone' | undefined>;
}

/**
 * Opens a finished file by the URL that the vendor has named. A URL that is refused is asked for anew, once: most
 * vendors sign a fresh one each time. When that one is refused too, the outcome is `denied`.
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
    if (first && !DENIED.has(first.status)) return readResult(first, context.now());
    if (first) discard(first.body);
    const fresh = await access.renew();
    if (fresh === 'gone') return { kind: 'expired', message: 'The upstream no longer has the file' };
    if (fresh?.bytes) return { kind: 'opened', body: Readable.from([fresh.bytes]), bytes: fresh.bytes.byteLength };
    if (fresh?.url === undefined) {
      return { kind: 'unclear', message: 'The upstream does not say where the file is' };
    }
    if (first && fresh.url === output.url) return denied(first.status);
    const second = await openUrl(fresh.url);
    if (!DENIED.has(second.status)) return readResult(second, context.now());
    discard(second.body);
    return denied(second.status);
  });

  function openUrl(url: string): Promise<Downloaded> {
    return downloadFor(context, job, access.credential, signal)(url);
  }
}

/** Makes the way to fetch files of a job: the credential goes to the origin that accepted it and to no other. */
export function downloadFor(
  context: UpstreamContext,
  job: UpstreamJob,
  credential: ResultAccess['credential'],
  signal: AbortSignal,
): (url: string, headers?: Partial<Record<SendableHeader, string>>) => Promise<Downloaded> {
  const credentialsOrigin = new URL(job.baseUrl).origin;
  return (url, headers = {}) => {
    const target = URL.parse(url);
    return context.download(url, {
      headers,
      ...(target && credential && { credentials: credential(target) }),
      credentialsOrigin,
      signal,
    });
  };
}

/** Opens a file; when that fails, says so in the log and gives what it means. */
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
    // Known from the length that was told, so another try would find the same.
    if (failure === 'too_large') return { kind: 'refused', code: 'provider_error', message: error.message };
    if (FORBIDDEN.has(failure)) return { kind: 'denied', code: 'provider_error', message: error.message };
    return { kind: 'unclear', message: error.message };
  }
}

function denied(status: number): ContentOutcome {
  return status === 410
    ? { kind: 'expired', message: 'The upstream no longer has the file (HTTP 410)' }
    : { kind: 'denied', message: `The upstream refuses the file (HTTP ${status})` };
}

function readResult({ status, headers, body, bytes }: Downloaded, now: number): ContentOutcome {
  const type = headers['content-type'] ?? '';
  if (status === 200 && !/^(application\/(json|xml)|text\/)/i.test(type)) {
    return { kind: 'opened', body, ...(bytes === undefined ? {} : { bytes }) };
  }
  discard(body);
  const wait = cappedRetryAfterMs(headers, now);
  const what = status === 200 ? 'something that is no file' : `HTTP ${status}`;
  return {
    kind: 'unclear',
    message: `The upstream answered the download with ${what}`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}
