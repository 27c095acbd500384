import type { JobOutput, PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { at, saysNothing } from '../media/lenient.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { finishedWithout } from '../media/outcomes/task-state.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, isModeration, NO_SUCH_RESOURCE, said } from './errors.ts';
import { type KlingResponse, readKling } from './wire.ts';

type Job = NonNullable<KlingResponse['data']>;

/** Polls a job under the path that accepted it. */
export function pollCall({ path = '/v1/videos/text2video', upstreamId }: UpstreamJob): VendorCall {
  return { method: 'GET', path: `${path}/${encodeURIComponent(upstreamId)}` };
}

/** Reads a poll response. Kling docs: `task_status` is submitted, processing, succeed, or failed. */
export function readPoll(response: UpstreamResponse, job: UpstreamJob, tools: WireTools): PollOutcome {
  const { status, body } = response;
  const kling = readKling(body);
  const later = tools.later(response);
  if (!isGood(status, kling)) {
    // Results are stored for 30 days, longer than any task is open.
    if (kling.code === NO_SUCH_RESOURCE && !tools.isYoung(job)) {
      return { kind: 'failed', code: 'content_expired', message: 'The upstream no longer knows the job' };
    }
    return {
      kind: 'unclear',
      message: `The upstream did not return the state of the job (${said(status, kling)})`,
      ...later,
    };
  }
  const data = kling.data ?? {};
  const failure = data.task_status_msg;
  switch (data.task_status) {
    case 'submitted':
    case 'processing':
      return { kind: 'running', ...later };
    case 'succeed':
      return succeeded(data) ?? finishedWithout('a result', isEmpty(body), later);
    case 'failed':
      return {
        kind: 'failed',
        code: isModeration(failure) ? 'content_policy' : 'provider_error',
        message: tools.reason(failure, 'The upstream failed without a reason', job),
      };
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}

function succeeded({ task_result: result, watermark_info: watermark }: Job): PollOutcome | undefined {
  const files = [...(result?.videos ?? []), ...(result?.images ?? [])].filter((file) => file !== undefined);
  const outputs = files
    .toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
    // Kling docs, `watermark_info`: the watermarked file is listed beside the plain one.
    .map((file) => (watermark?.enabled === true ? (file.watermark_url ?? file.url) : file.url))
    .filter((url) => url !== undefined)
    .map((url): JobOutput => ({ url }));
  if (outputs.length === 0) return undefined;
  const seconds = result?.videos?.[0]?.duration;
  return { kind: 'succeeded', outputs, ...(seconds !== undefined && { seconds }) };
}

/** Whether the result is recognizably empty. */
function isEmpty(body: unknown): boolean {
  const result = at(body, 'data', 'task_result');
  const lists = [at(result, 'videos'), at(result, 'images')].filter((files) => files !== undefined);
  return saysNothing(result) || (lists.length > 0 && lists.every((files) => saysNothing(files, 'url')));
}
