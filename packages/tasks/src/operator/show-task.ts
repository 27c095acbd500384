import { type InputImage, type MediaRequest, type MediaTask, splitAccount } from '@sluice/canonical';
import { NANOS_PER_USD } from '@sluice/limits';
import type { TimelineEntry } from '../store/timeline.ts';
import type { OperatorResult, TaskDetails } from './task-operator.ts';

/** A task in the format of the admin API and the CLI. */
export type ShownTask = ReturnType<typeof showTask>;
export type ShownTaskDetails = ReturnType<typeof showTaskDetails>;
export type ShownEntry = ShownTaskDetails['timeline'][number];

/** Formats a task for operators, who also see the upstream and the vendor's job. Times are Unix seconds. */
export function showTask(task: MediaTask) {
  return {
    object: 'task' as const,
    id: task.id,
    kind: task.kind,
    owner: task.ownerId,
    status: task.status,
    revision: task.revision,
    progress: task.progress,
    model: task.model,
    ...splitAccount(task.upstream),
    upstream_model: task.upstreamModel,
    route: task.route,
    attempt: task.attempt,
    ...(task.upstreamId !== undefined && { upstream_job_id: task.upstreamId }),
    ...(task.upstreamPath !== undefined && { upstream_path: task.upstreamPath }),
    ...(task.upstreamBaseUrl !== undefined && { upstream_base_url: task.upstreamBaseUrl }),
    ...(task.externalId !== undefined && { external_id: task.externalId }),
    ...(task.user !== undefined && { user: task.user }),
    ...(task.labels && { labels: task.labels }),
    ...(task.priority !== undefined && { priority: task.priority }),
    ...(task.paused && { paused: task.paused }),
    ...(task.remixedFrom !== undefined && { remixed_from: task.remixedFrom }),
    ...(task.error && { error: task.error }),
    ...(task.costNanos !== undefined && { cost_usd: task.costNanos / NANOS_PER_USD }),
    ...(task.unpriced && { unpriced: task.unpriced }),
    ...(task.waitingReason !== undefined && { waiting_reason: task.waitingReason }),
    polls: task.polls,
    unclear_polls: task.unclearPolls,
    cancel_requested: task.cancelRequested,
    deleted: task.deleted,
    created_at: seconds(task.createdAt),
    ...(task.submittedAt !== undefined && { submitted_at: seconds(task.submittedAt) }),
    ...(task.acceptedAt !== undefined && { accepted_at: seconds(task.acceptedAt) }),
    ...(task.polledAt !== undefined && { polled_at: seconds(task.polledAt) }),
    ...(task.dueAt !== undefined && { due_at: seconds(task.dueAt) }),
    deadline_at: seconds(task.deadlineAt),
    ...(task.completedAt !== undefined && { ended_at: seconds(task.completedAt) }),
    ...(task.expiresAt !== undefined && { expires_at: seconds(task.expiresAt) }),
  };
}

/** @param withPrompt whether to include the prompts */
export function showTaskDetails({ task, timeline, request }: TaskDetails, withPrompt: boolean) {
  return { ...showTask(task), timeline: timeline.map(showEntry), request: showRequest(request, withPrompt) };
}

export function showResult({ task, changed }: OperatorResult) {
  return { ...showTask(task), changed };
}

function showEntry({ at, until, httpStatus, upstream, ...entry }: TimelineEntry) {
  return {
    at_ms: at,
    ...(until !== undefined && { until_ms: until }),
    ...(httpStatus !== undefined && { http_status: httpStatus }),
    ...splitAccount(upstream),
    ...entry,
  };
}

/** Omits bytes, client URLs, and the values of vendor options, because these may contain secrets or private data. */
function showRequest(request: MediaRequest, withPrompt: boolean) {
  const { kind, prompt, negativePrompt, images, metadata, ...params } = request;
  const remix = 'remix' in params ? params.remix : undefined;
  const plain = Object.entries(params).filter(([name, value]) => name !== 'remix' && value !== undefined);
  return {
    kind,
    ...Object.fromEntries(plain.map(([name, value]) => [snakeCase(name), value])),
    ...(remix && { remix_of: remix.taskId }),
    ...(withPrompt && prompt !== undefined && { prompt }),
    ...(withPrompt && negativePrompt !== undefined && { negative_prompt: negativePrompt }),
    images: images.map(showImage),
    ...(metadata && { options: Object.keys(metadata) }),
  };
}

function showImage({ role, source }: InputImage) {
  return source.kind === 'url'
    ? { role, source: source.kind }
    : { role, source: source.kind, media_type: source.mediaType, bytes: source.bytes };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
