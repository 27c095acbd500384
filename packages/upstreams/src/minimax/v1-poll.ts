import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { at, saysNothing } from '../media/lenient.ts';
import type { CallVendor, VendorCall } from '../media/media-wire.ts';
import { finishedWithout } from '../media/outcomes/task-state.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOfCode } from './codes.ts';
import { WireFile, WireTaskV1 } from './wire.ts';

export function pollV1(job: UpstreamJob): VendorCall {
  return {
    method: 'GET',
    path: `/v1/query/video_generation?${new URLSearchParams({ task_id: job.upstreamId }).toString()}`,
  };
}

/**
 * Reads a v1 task. A finished task names a file, whose URL is short-lived, so each poll of a finished task requests a
 * fresh one.
 */
export async function readPollV1(
  tools: WireTools,
  response: UpstreamResponse,
  job: UpstreamJob,
  ask: CallVendor,
): Promise<PollOutcome> {
  const { status, body } = response;
  const later = tools.later(response);
  if (status !== 200) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the poll`, ...later };
  }
  const task = WireTaskV1.parse(body);
  const code = task?.base_resp?.status_code ?? 0;
  const decision = decisionOfCode(code);
  if (decision === 'credential' || decision === 'busy') return unclear(code, later);
  // Refused content may be reported by the code alone.
  if (isFailure(task?.status) || (decision === 'moderated' && task?.status === undefined)) {
    // With code 0, the text describes the successful query.
    const words = code === 0 ? undefined : task?.base_resp?.status_msg;
    return {
      kind: 'failed',
      code: failureCodeOf(decision ?? 'unknown'),
      message: tools.reason(words, 'The upstream failed without a reason', job),
    };
  }
  if (code !== 0) return unclear(code, later);
  switch (task?.status) {
    case 'Preparing':
    case 'Queueing':
    case 'Processing':
      return { kind: 'running', ...later };
    case 'Success':
      return readFile(tools, task, { isEmpty: saysNothing(at(body, 'file_id')), later }, ask);
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}

function isFailure(status: string | undefined): boolean {
  return status === 'Fail' || status === 'Failed';
}

function unclear(code: number, later: { retryAfterMs?: number }): PollOutcome {
  return { kind: 'unclear', message: `The upstream returned code ${code} for the poll`, ...later };
}

async function readFile(
  tools: WireTools,
  task: NonNullable<ReturnType<typeof WireTaskV1.parse>>,
  told: { isEmpty: boolean; later: { retryAfterMs?: number } },
  ask: CallVendor,
): Promise<PollOutcome> {
  const { file_id: id, video_width: width, video_height: height } = task;
  // Also if JSON rounded the number.
  if (id === undefined) return finishedWithout('a video', told.isEmpty, told.later);
  const query = new URLSearchParams({ file_id: id }).toString();
  const response = await ask({ method: 'GET', path: `/v1/files/retrieve?${query}` });
  const file = WireFile.parse(response.body);
  const url = file?.file?.download_url;
  if (response.status !== 200 || (file?.base_resp?.status_code ?? 0) !== 0 || url === undefined) {
    return { kind: 'unclear', message: 'The upstream did not return the URL of the file', ...tools.later(response) };
  }
  const isSize = Number.isSafeInteger(width) && Number.isSafeInteger(height) && Number(width) > 0 && Number(height) > 0;
  return { kind: 'succeeded', outputs: [{ url }], ...(isSize && { size: `${width}x${height}` }) };
}
