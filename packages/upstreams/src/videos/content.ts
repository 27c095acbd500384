import type { ContentOutcome, UpstreamJob } from '@sluice/canonical';
import type { Downloaded } from '../http/guarded/download.ts';
import { cappedRetryAfterMs } from '../http/retry-after.ts';
import { discard } from '../http/send-request.ts';
import type { ContentAccess } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { jobPath } from './job-path.ts';
import { videosPoll } from './poll.ts';
import { readJob, type WireJob } from './wire.ts';

/**
 * Downloads the file: `GET /videos/{id}/content`, which may redirect. The credential stays with the origin that
 * accepted the job. Resellers without that endpoint return the file's URL in the job, so a 401, 403, or 404 leads
 * there. Neither status proves that the file is gone: it may appear a moment after `completed`, and a key may be about
 * to change. The outcome is `denied` if the job can be polled. Only a 410 or a passed expiry is `expired`.
 */
export async function openVideo(tools: WireTools, job: UpstreamJob, access: ContentAccess): Promise<ContentOutcome> {
  const response = await access.open(access.urlOf(jobPath(job, '/content')), ACCEPT);
  if (!isDenied(response.status)) return readContentResponse(tools, response);
  discard(response.body);
  const { status, body } = await access.ask(videosPoll(job));
  // If the job is briefly unavailable, so is the file.
  if (status >= 500 || status === 429) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the poll` };
  }
  const seen = status === 200 ? readJob(body) : undefined;
  if (seen?.url === undefined) return readContentResponse(tools, response, seen);
  return readContentResponse(tools, await access.open(seen.url, ACCEPT), seen);
}

const ACCEPT = { accept: 'video/mp4, application/binary, */*;q=0.8' };

function isDenied(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

function readContentResponse(tools: WireTools, response: Downloaded, seen?: WireJob): ContentOutcome {
  const { status, headers, body, bytes } = response;
  const type = headers['content-type'] ?? '';
  if (status === 200 && !/^(application\/json|text\/)/i.test(type)) {
    return { kind: 'opened', body, ...(bytes === undefined ? {} : { bytes }) };
  }
  discard(body);
  const hasPassed = seen?.expiresAt !== undefined && seen.expiresAt <= tools.now();
  if (status === 410 || (isDenied(status) && hasPassed)) {
    return { kind: 'expired', message: `The upstream no longer returns the file (HTTP ${status})` };
  }
  const wait = cappedRetryAfterMs(headers, tools.now());
  if (seen && isDenied(status) && wait === undefined) {
    return { kind: 'denied', message: `The upstream refuses the file (HTTP ${status})` };
  }
  const what = status === 200 ? 'a response that is not a file' : `HTTP ${status}`;
  return {
    kind: 'unclear',
    message: `The upstream responded to the download with ${what}`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}
