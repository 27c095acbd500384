import type { Task } from '../api/tasks.ts';

/** The words for the states of a task. */
export const STATUS_TEXTS: Readonly<Record<Task['status'], string>> = {
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

export function isTaskState(status: unknown): status is Task['status'] {
  return typeof status === 'string' && Object.hasOwn(STATUS_TEXTS, status);
}
