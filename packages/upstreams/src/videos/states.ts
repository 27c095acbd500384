import type { TaskState } from '../media/outcomes/task-outcome.ts';

/**
 * Statuses, in lowercase. OpenAI uses queued, in_progress, completed, and failed. The others are from resellers of
 * other vendors' models.
 */
const STATUSES: Readonly<Record<TaskState, readonly string[]>> = {
  running: [
    'queued',
    'in_progress',
    'pending',
    'created',
    'submitted',
    'preparing',
    'queueing',
    'in_queue',
    'waiting',
    'not_start',
    'not_started',
    'starting',
    'processing',
    'running',
    'generating',
  ],
  succeeded: ['completed', 'succeeded', 'succeed', 'success', 'done'],
  failed: ['failed', 'failure', 'fail'],
  canceled: ['canceled', 'cancelled'],
};
const STATES: readonly TaskState[] = ['running', 'succeeded', 'failed', 'canceled'];

export function stateOf(status = ''): TaskState | undefined {
  return STATES.find((state) => STATUSES[state].includes(status));
}
