export { createTaskEngine } from './shards/create-task-engine.ts';
export type { TaskEngineOptions } from './shards/create-shard-engine.ts';
export {
  createTaskWorker,
  type TaskWorker,
  type TaskWorkerOptions,
  type TaskWorkerUpdate,
} from './shards/create-task-worker.ts';
export type { WorkerAccount } from './worker/accounts/worker-accounts.ts';
export { openTaskOperator } from './shards/open-task-operator.ts';
export {
  showTaskDetails,
  type ShownTaskDetails,
  type ShownEntry,
  type ShownTask,
  showResult,
  showTask,
} from './operator/show-task.ts';
export type { OperatorAct, OperatorResult, TaskOperator } from './operator/task-operator.ts';
export type { ObservedTask, WorkerObserver } from './worker/steps/observed-capability.ts';
export type { FetchedInput } from './worker/steps/step.ts';
export type { BrowsedTasks, TaskBrowsing } from './operator/browse-tasks.ts';
export type { AdmittedTask, NewTask, TaskChange, TaskListing, TaskPage } from './engine/task-requests.ts';
export type { TaskAllowance } from './store/admission.ts';
export { requestedNanos, requestedUnits, type TaskPrice } from './store/task-price.ts';
export type { TaskTarget } from './store/task-record.ts';
export type { SlotUse, TaskStats } from './store/task-stats.ts';
export type { TaskEngine } from './shards/task-engine.ts';
export { isTaskId } from './store/task-id.ts';
export { TIMELINE_EVENTS } from './store/timeline.ts';
export type { AccountCaps, TaskSettings } from './store/task-settings.ts';
