import type { ReactElement } from 'react';
import type { Task } from '../../api/tasks.ts';
import { Badge, type Tone } from '../../components/badge.tsx';

type Status = Task['status'];

/** The words for the states of a task. */
export const STATUS_TEXTS: Readonly<Record<Status, string>> = {
  queued: 'Waiting',
  submitting: 'Submitting',
  submit_unknown: 'Submission lost',
  in_progress: 'Running',
  finishing: 'Copying files',
  canceling: 'Canceling',
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
};

export function isTaskState(status: unknown): status is Status {
  return typeof status === 'string' && Object.hasOwn(STATUS_TEXTS, status);
}

/** In the order of a task's life. */
export const TASK_STATES: readonly Status[] = [
  'queued',
  'submitting',
  'submit_unknown',
  'in_progress',
  'finishing',
  'canceling',
  'completed',
  'failed',
  'canceled',
];

const TONES: Readonly<Record<Status, Tone>> = {
  queued: 'neutral',
  submitting: 'neutral',
  submit_unknown: 'warn',
  in_progress: 'accent',
  finishing: 'accent',
  canceling: 'warn',
  completed: 'ok',
  failed: 'bad',
  canceled: 'neutral',
};

export function statusText(status: Status): string {
  return STATUS_TEXTS[status];
}

export function statusTone(status: Status): Tone {
  return TONES[status];
}

export function isEnded(status: Status): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

/** The state of a task, with its progress while it runs. */
export function TaskStatus({
  status,
  progress,
  paused,
  queue_paused: isQueuePaused,
}: Pick<Task, 'status' | 'progress' | 'paused' | 'queue_paused'>): ReactElement {
  if (status === 'queued' && (isQueuePaused || paused)) {
    return <Badge tone="warn">{isQueuePaused ? 'Queue paused' : 'Paused'}</Badge>;
  }
  const isRunning = status === 'in_progress' || status === 'finishing';
  return (
    <Badge tone={statusTone(status)}>
      {statusText(status)}
      {isRunning && progress > 0 && <span className="font-normal text-muted tabular-nums">{progress} %</span>}
    </Badge>
  );
}

/** What happened, and what to do. The message of the task's error follows it. */
const ERRORS: Readonly<Record<string, string>> = {
  invalid_request: 'The vendor refused the parameters of the request. Change them, and create the task again.',
  content_policy: 'The vendor refused the content for its policy. Change the prompt or the images.',
  provider_auth: 'The vendor refused the credential of this gateway. The operator must check it.',
  provider_quota: "The gateway's account at the vendor has no quota or balance left. The operator must refill it.",
  rate_limited: 'The vendor accepted no more tasks before the deadline. Create the task again later.',
  provider_error: 'The vendor could not finish the task. Create it again, or use another model.',
  submission_unknown:
    'The response to the submission was lost, and the vendor may have run the task. Check with the vendor before you create it again.',
  deadline_exceeded: 'The task did not end before its deadline. Create it again when the vendor is faster.',
  canceled: 'The task was canceled on request.',
  content_expired: 'The vendor deleted the file before it could be copied. Create the task again.',
  no_upstream: 'No upstream could take the task. The operator must check the routes of the model.',
};

export function explainError(code: string): string {
  return ERRORS[code] ?? 'The task failed.';
}
