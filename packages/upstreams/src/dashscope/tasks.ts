import {
  type JobOutput,
  type MediaRequest,
  type TaskError,
  type UpstreamJob,
  UPSTREAM_MESSAGES,
  unexpectedMessage,
} from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { at, isEmptyValue } from '../media/lenient.ts';
import type { MediaWire, VendorCall } from '../media/media-wire.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import type { TaskState } from '../media/outcomes/task-outcome.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf, decisionOfCode, isGood, summary } from './errors.ts';
import { type DashscopeResponse, type DashscopeResult, imagesOf, readDashscope } from './wire.ts';

export const SERVICES = '/api/v1/services/aigc';

/** Requests a task. Without it, the call fails with "current user api does not support synchronous calls". */
export const AS_TASK = { 'x-dashscope-async': 'enable' } as const;

const STATES = new Map<string | undefined, TaskState>([
  ['PENDING', 'running'],
  ['RUNNING', 'running'],
  ['SUSPENDED', 'running'], // A cancellation was requested, but the task is still running.
  ['SUCCEEDED', 'succeeded'],
  ['FAILED', 'failed'],
  ['CANCELED', 'canceled'],
]);

function poll({ upstreamId }: UpstreamJob): VendorCall {
  return { method: 'GET', path: `/api/v1/tasks/${encodeURIComponent(upstreamId)}` };
}

export function refused(response: UpstreamResponse, read: DashscopeResponse, tools: WireTools) {
  const fallback = unexpectedMessage(summary(response.status, read), 'submission');
  return tools.refused(response, decisionOf(response.status, read.code), read.message, fallback);
}

/** Task calls for video models and older image models (Alibaba docs, "Manage asynchronous tasks"). */
export const dashscopeTasks = {
  readSubmission: (response, { seconds }, tools) => {
    const read = readDashscope(response.body);
    if (!isGood(response.status, read)) return refused(response, read, tools);
    return tools.accepted(response, read.output?.task_id, { seconds });
  },
  poll,
  readPoll: (response, job, tools) => {
    const read = readDashscope(response.body);
    const { output = {}, usage } = read;
    if (!isGood(response.status, read)) {
      const message = unexpectedMessage(summary(response.status, read), 'poll');
      return { kind: 'unclear', message, ...tools.retryDelay(response) };
    }
    // The task has expired after 24 hours, or it belongs to another region.
    if (output.task_status === 'UNKNOWN') return tools.missing(response, job);
    const state = STATES.get(output.task_status);
    const results = resultsOf(read);
    const outputs = results.map((result) => outputOf(result, job, tools));
    const failure = outputs.every(({ error }) => error) ? outputs[0]?.error : undefined;
    // Alibaba docs: "if at least one subtask succeeds, the task is marked as SUCCEEDED". Each failed subtask reports
    // its reason in its result.
    const isReported = results.every((result) => result?.code !== undefined || result?.message !== undefined);
    if (state === 'succeeded' && failure && isReported) return { kind: 'failed', ...failure };
    const size = /^(\d{1,5})[*x](\d{1,5})$/.exec(usage?.size ?? '');
    const task = {
      state,
      outputs: failure ? [] : outputs,
      isEmpty: isEmpty(response.body),
      failure: { code: failureCodeOf(decisionOfCode(output.code) ?? 'unknown'), text: output.message },
      seconds: usage?.output_video_duration ?? usage?.video_duration ?? usage?.duration,
      size: size ? `${size[1]}x${size[2]}` : undefined,
    };
    return tools.polled(response, task, job);
  },
  // Alibaba docs: only PENDING tasks can be canceled. Otherwise, the call fails with `UnsupportedOperation`.
  cancellation: {
    call: (job) => ({ method: 'POST', path: `${poll(job).path}/cancel` }),
    read: ({ status, body }) => {
      const read = readDashscope(body);
      if (isGood(status, read)) return { kind: 'canceled' };
      if (decisionOf(status, read.code) === 'invalid') return undefined;
      return { kind: 'unclear', message: unexpectedMessage(summary(status, read), 'cancellation') };
    },
  },
} satisfies Partial<MediaWire<MediaRequest>>;

function resultsOf(read: DashscopeResponse): DashscopeResult[] {
  const { video_url: url, actual_prompt, results = [] } = read.output ?? {};
  return url === undefined
    ? [...results, ...imagesOf(read).map((image) => ({ url: image }))]
    : [{ url, actual_prompt }];
}

function outputOf(result: DashscopeResult, job: UpstreamJob, tools: WireTools): JobOutput {
  const { url, actual_prompt: revisedPrompt, code, message } = result ?? {};
  if (url !== undefined) return { url, revisedPrompt };
  const error: TaskError = {
    code: failureCodeOf(decisionOfCode(code) ?? 'unknown'),
    message: tools.reason(message, UPSTREAM_MESSAGES.failed, job),
  };
  return { error };
}

function isEmpty(body: unknown): boolean {
  const count = at(body, 'usage', 'video_count') ?? at(body, 'usage', 'image_count');
  const fields = ['video_url', 'results', 'choices'].map((name) => at(body, 'output', name));
  const present = fields.filter((value) => value !== undefined);
  return present.every((value) => isEmptyValue(value, 'url')) && (present.length > 0 || count === 0);
}
