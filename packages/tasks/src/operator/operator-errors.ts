import { GatewayError, OPEN_STATUSES } from '@sluice/canonical';
import type { TaskRecord } from '../store/task-record.ts';

/** The error for an action that the task's state does not allow. @param rule a sentence that says what the action needs */
export function stateError({ status }: Pick<TaskRecord, 'status'>, rule: string): GatewayError {
  if (OPEN_STATUSES.some((open) => open === status)) return conflict(`The task is \`${status}\`. ${rule}`);
  return new GatewayError('task_final', `The task has ended as \`${status}\`. ${rule}`);
}

/** The error for an action that conflicts with another one or with the worker. */
export function conflict(message: string): GatewayError {
  return new GatewayError('task_conflict', message);
}
