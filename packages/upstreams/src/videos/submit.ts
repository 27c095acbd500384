import type { MediaSubmission, SubmitOutcome, VideoRequest } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { openFiles } from '../media/form-files.ts';
import { at, saysNothing } from '../media/lenient.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { errorTopic, openAiDecision } from '../media/outcomes/openai-error.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { formFields } from './form-fields.ts';
import { jobPath } from './job-path.ts';
import type { VideosPlan } from './plan.ts';
import { readJob, readWireError } from './wire.ts';

/** Submits a video or a variation. */
export async function videosSubmission(params: MediaSubmission<VideoRequest>, plan: VideosPlan): Promise<VendorCall> {
  const { model, request, images } = params;
  if (request.remix !== undefined) {
    return { method: 'POST', path: jobPath(request.remix, '/remix'), json: { prompt: request.prompt } };
  }
  const files = await openFiles(images, () => 'input_reference');
  return { method: 'POST', path: '/videos', form: { fields: formFields(model, { ...request, ...plan }), files } };
}

/**
 * Reads a submission. A success without an id is `unknown`, because the upstream may be processing it, unless it is an
 * error without a job, as resellers send: `{code, message, data: null}`.
 */
export function readVideosSubmission(tools: WireTools, response: UpstreamResponse): SubmitOutcome {
  const { status, body } = response;
  const later = tools.later(response);
  if (status >= 200 && status < 300) {
    const job = readJob(body);
    if (job?.id === undefined || !isUsableId(job.id)) {
      const error = job?.error;
      const topic = namesNoJob(body) ? errorTopic(error) : 'other';
      if (topic !== 'other') {
        const reason = tools.reason(error?.message, `The upstream refused the request (HTTP ${status})`);
        return refusedSubmission(topic, reason, later);
      }
      return { kind: 'unknown', message: `The upstream returned HTTP ${status} without an id` };
    }
    return {
      kind: 'accepted',
      upstreamId: job.id,
      ...(job.seconds === undefined ? {} : { seconds: job.seconds }),
      ...(job.size === undefined ? {} : { size: job.size }),
      ...later,
    };
  }
  const error = readWireError(body);
  const decision = openAiDecision(status, error);
  if (decision === 'unknown') return { kind: 'unknown', message: `The upstream returned HTTP ${status}` };
  const reason = tools.reason(error?.message, `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(decision, reason, later);
}

/** Whether no field of the response could hold a job's id. */
function namesNoJob(body: unknown): boolean {
  return ['id', 'task_id', 'data', 'output'].every((name) => {
    const value = at(body, name);
    return value === undefined || saysNothing(value);
  });
}

/** An id that works as one path segment of visible characters. */
function isUsableId(id: string): boolean {
  return id.length <= 512 && /^[\x21-\x7e]+$/.test(id) && id !== '.' && id !== '..';
}
