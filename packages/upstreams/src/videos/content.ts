import { type ContentOutcome, type UpstreamJob, UPSTREAM_MESSAGES, unexpectedMessage } from '@sluice/canonical';
import type { Downloaded } from '../http/guarded/download.ts';
import { discard } from '../http/send-request.ts';
import type { ContentAccess } from '../media/media-wire.ts';
import { readFile } from '../media/open-result.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { jobPath } from './job-path.ts';
import { readJob, type WireJob } from './wire.ts';

/**
 * Downloads `GET /videos/{id}/content`, which may redirect. The credential is sent only to the origin that accepted the
 * job. After a 401, 403, or 404, the job is polled, because resellers without this endpoint return the file's URL in
 * the job. These statuses do not prove that the file is gone: it may appear shortly after `completed`, or the key may
 * be about to change. The outcome is `denied` if the job can still be polled. It is `expired` only after a 410 or the
 * job's expiry.
 */
export async function openVideo(job: UpstreamJob, access: ContentAccess, tools: WireTools): Promise<ContentOutcome> {
  const response = await access.open(access.urlOf(jobPath(job, '/content')), ACCEPT);
  if (!isDenied(response.status)) return readContent(tools, response);
  discard(response.body);
  const { status, body } = await access.send({ method: 'GET', path: jobPath(job) });
  // If the job is temporarily unavailable, its file may be unavailable too.
  if (status >= 500 || status === 429) {
    return { kind: 'unclear', message: unexpectedMessage(`HTTP ${status}`, 'poll') };
  }
  const video = status === 200 ? readJob(body) : undefined;
  if (video?.url === undefined) return readContent(tools, response, video);
  return readContent(tools, await access.open(video.url, ACCEPT), video);
}

const ACCEPT = { accept: 'video/mp4, application/binary, */*;q=0.8' };

function isDenied(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

function readContent(tools: WireTools, response: Downloaded, video?: WireJob): ContentOutcome {
  const { status, headers } = response;
  const isExpired = status === 410 || (isDenied(status) && (video?.expiresAt ?? Infinity) <= tools.now());
  const isRefused = video && isDenied(status) && tools.retryDelay({ headers }).retryAfterMs === undefined;
  if (!isExpired && !isRefused) return readFile(response, tools.now(), /^(application\/json|text\/)/i);
  discard(response.body);
  return isExpired
    ? { kind: 'expired', message: UPSTREAM_MESSAGES.fileGone }
    : { kind: 'denied', message: unexpectedMessage(`HTTP ${status}`, 'download') };
}
