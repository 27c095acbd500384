import { GatewayError, OPEN_STATUSES } from '@sluice/canonical';
import type { TaskRecord } from '../store/task-record.ts';

/** @param rule the action's precondition, as a sentence */
export function stateError({ status }: Pick<TaskRecord, 'status'>, rule: string): GatewayError {
  if (OPEN_STATUSES.some((open) => open === status)) return conflict(`The task is \`${status}\`. ${rule}`);
  return new GatewayError('task_final', `The task has ended as \`${status}\`. ${rule}`);
}

export function conflict(message: string): GatewayError {
  return new GatewayError('task_conflict', message);
}
