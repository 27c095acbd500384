import type { JobOutput, PollOutcome, TaskError, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { at, saysNothing } from '../media/lenient.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { finishedWithout } from '../media/outcomes/task-state.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, said, decisionOfCode } from './errors.ts';
import { type DashscopeResponse, type DashscopeResult, imagesOf, readDashscope } from './wire.ts';

export function pollCall({ upstreamId }: UpstreamJob): VendorCall {
  return { method: 'GET', path: `/api/v1/tasks/${encodeURIComponent(upstreamId)}` };
}

/** Reads a poll response. Source: Alibaba docs, "Manage asynchronous tasks". */
export function readPoll(response: UpstreamResponse, job: UpstreamJob, tools: WireTools): PollOutcome {
  const { status, body } = response;
  const read = readDashscope(body);
  const later = tools.later(response);
  if (!isGood(status, read)) {
    return {
      kind: 'unclear',
      message: `The upstream did not return the state of the job (${said(status, read)})`,
      ...later,
    };
  }
  const output = read.output ?? {};
  switch (output.task_status) {
    case 'PENDING':
    case 'RUNNING':
    // Cancellation was requested, but the task still runs.
    case 'SUSPENDED':
      return { kind: 'running', ...later };
    case 'SUCCEEDED':
      return succeeded(read, job, tools) ?? finishedWithout('a result', isEmpty(body), later);
    case 'FAILED':
      return { kind: 'failed', ...failureOf(output, job, tools) };
    case 'CANCELED':
      return { kind: 'failed', code: 'canceled', message: 'The job was canceled at the upstream' };
    case 'UNKNOWN':
      // The task expired after 24 hours, or the account's region does not know it.
      if (tools.isYoung(job)) return { kind: 'unclear', message: 'The upstream does not know the job yet', ...later };
      return { kind: 'failed', code: 'content_expired', message: 'The upstream no longer knows the job' };
    case undefined:
    default:
      return { kind: 'unclear', message: 'The upstream returned an unknown status', ...later };
  }
}

/**
 * A succeeded task. Alibaba docs: "if at least one subtask succeeds, the task is marked as SUCCEEDED", and each failed
 * subtask has its reason in its result.
 * @returns undefined if there is neither a file nor a reason
 */
function succeeded(read: DashscopeResponse, job: UpstreamJob, tools: WireTools): PollOutcome | undefined {
  const { output, usage } = read;
  const results: DashscopeResult[] =
    output?.video_url === undefined
      ? [...(output?.results ?? []), ...imagesOf(read).map((url) => ({ url }))]
      : [{ url: output.video_url, actual_prompt: output.actual_prompt }];
  const outputs = results.map((result) => outputOf(result, job, tools));
  if (outputs.every(({ error }) => error !== undefined)) {
    const isReported = results.every((result) => result?.code !== undefined || result?.message !== undefined);
    return isReported && outputs[0]?.error ? { kind: 'failed', ...outputs[0].error } : undefined;
  }
  const seconds = usage?.output_video_duration ?? usage?.video_duration ?? usage?.duration;
  const size = /^(\d{1,5})[*x](\d{1,5})$/.exec(usage?.size ?? '');
  return {
    kind: 'succeeded',
    outputs,
    ...(seconds !== undefined && seconds > 0 && { seconds: String(seconds) }),
    ...(size && { size: `${size[1]}x${size[2]}` }),
  };
}

function outputOf(result: DashscopeResult, job: UpstreamJob, tools: WireTools): JobOutput {
  if (result?.url === undefined) return { error: failureOf(result ?? {}, job, tools) };
  return { url: result.url, ...(result.actual_prompt !== undefined && { revisedPrompt: result.actual_prompt }) };
}

function failureOf(
  told: { code?: string | undefined; message?: string | undefined },
  job: UpstreamJob,
  tools: WireTools,
) {
  return {
    code: failureCodeOf(decisionOfCode(told.code) ?? 'unknown'),
    message: tools.reason(told.message, 'The upstream failed without a reason', job),
  } satisfies TaskError;
}

/** Whether the result is recognizably empty, by its count or an empty field. */
function isEmpty(body: unknown): boolean {
  const count = at(body, 'usage', 'video_count') ?? at(body, 'usage', 'image_count');
  const output = at(body, 'output');
  const ways = [at(output, 'video_url'), at(output, 'results'), at(output, 'choices')];
  const told = ways.filter((value) => value !== undefined);
  return told.every((value) => saysNothing(value, 'url')) && (told.length > 0 || count === 0);
}
