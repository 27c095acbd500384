import {
  type FindOutcome,
  type JobOutput,
  type MediaRequest,
  type MediaSubmission,
  type Review,
  type UpstreamJob,
  statusMessage,
  unexpectedMessage,
} from '@sluice/canonical';
import { at, isEmptyValue } from '../media/lenient.ts';
import type { CallVendor, MediaWire, VendorCall } from '../media/media-wire.ts';
import type { TaskState } from '../media/outcomes/task-outcome.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf, isGood, isModeration, NO_SUCH_RESOURCE, summary } from './errors.ts';
import { type KlingResponse, readKling } from './wire.ts';

const STATES = new Map<string | undefined, TaskState>([
  ['submitted', 'running'],
  ['processing', 'running'],
  ['succeed', 'succeeded'],
  ['failed', 'failed'],
]);

/** Calls for the jobs of videos and images. A job can be polled only under the path that accepted it. */
export const klingJobs = {
  readSubmission: (response, { path, seconds }, tools) => {
    const { status, body } = response;
    const kling = readKling(body);
    if (isGood(status, kling)) return tools.accepted(response, kling.data?.task_id, { path, seconds });
    // Our references are valid and unique. If Kling rejects one, an attempt whose record was lost has already sent it.
    // The lookup finds that attempt's job.
    if (kling.message?.includes('external_task_id') === true) {
      return { kind: 'unknown', message: 'The upstream already has a task with this reference.' };
    }
    const fallback = statusMessage(status);
    return tools.refused(response, decisionOf(status, kling), kling.message, fallback);
  },
  jobPath: ({ path }) => path,
  poll: ({ path = '/v1/videos/text2video', upstreamId }: UpstreamJob): VendorCall => ({
    method: 'GET',
    path: `${path}/${encodeURIComponent(upstreamId)}`,
  }),
  readPoll: (response, job, tools) => {
    const { status, body } = response;
    const kling = readKling(body);
    if (!isGood(status, kling)) {
      // Results are stored for 30 days, which is longer than any task stays open.
      if (kling.code === NO_SUCH_RESOURCE && !tools.isYoung(job)) return tools.missing(response, job);
      const message = unexpectedMessage(summary(status, kling), 'poll');
      return { kind: 'unclear', message, ...tools.retryDelay(response) };
    }
    const { task_status: state, task_status_msg: text, task_result: result } = kling.data ?? {};
    const task = {
      state: STATES.get(state),
      outputs: outputsOf(kling),
      isEmpty: isEmpty(body),
      failure: { code: isModeration(text) ? 'content_policy' : 'provider_error', text },
      seconds: result?.videos?.[0]?.duration,
    } as const;
    return tools.polled(response, task, job);
  },
  find: findByReference,
} satisfies Partial<MediaWire<MediaRequest, Review & { path: string }>>;

/**
 * Looks up a lost submission by its `external_task_id`. Kling docs: it is unique in the account and can replace the id
 * in the path. "Does not exist" is trusted only after the vendor has had time to show the job.
 */
async function findByReference(
  { reference, submittedAt, lost }: MediaSubmission,
  send: CallVendor,
  { path }: { path: string },
  tools: WireTools,
): Promise<FindOutcome> {
  const { status, body } = await send({ method: 'GET', path: `${path}/${encodeURIComponent(reference)}` });
  const kling = readKling(body);
  if (kling.code === NO_SUCH_RESOURCE && tools.isLookupConclusive(lost?.since ?? submittedAt)) return { kind: 'none' };
  const { task_id: upstreamId, task_info } = kling.data ?? {};
  const isSame = (task_info?.external_task_id ?? reference) === reference;
  if (!isGood(status, kling) || upstreamId === undefined || !isSame) {
    return { kind: 'unclear', message: unexpectedMessage(summary(status, kling), 'lookup') };
  }
  return { kind: 'candidates', jobs: [{ upstreamId, path }], certain: true };
}

function outputsOf({ data }: KlingResponse): JobOutput[] {
  const { task_result: result, watermark_info: watermark } = data ?? {};
  const files = [...(result?.videos ?? []), ...(result?.images ?? [])].filter((file) => file !== undefined);
  return (
    files
      .toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
      // Kling docs, `watermark_info`: the response contains both the watermarked and the unmarked file.
      .map((file) => (watermark?.enabled === true ? (file.watermark_url ?? file.url) : file.url))
      .flatMap((url) => (url === undefined ? [] : [{ url }]))
  );
}

function isEmpty(body: unknown): boolean {
  const result = at(body, 'data', 'task_result');
  const lists = [at(result, 'videos'), at(result, 'images')].filter((files) => files !== undefined);
  return isEmptyValue(result) || (lists.length > 0 && lists.every((files) => isEmptyValue(files, 'url')));
}
