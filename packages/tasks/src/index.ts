export { createTaskEngine, type TaskEngineOptions } from './create-task-engine.ts';
export {
  createTaskWorker,
  type TaskWorker,
  type TaskWorkerOptions,
  type WorkerAccount,
} from './worker/create-task-worker.ts';
export {
  type ByteRange,
  ContentMissingError,
  type ContentStore,
  ContentUnavailableError,
  discardContent,
  type WrittenBlob,
} from './content/content-store.ts';
export { createLocalContentStore } from './content/local-content-store.ts';
export { type ContentSettings, openContentStore } from './content/open-content-store.ts';
export { type StorageMonitor, startStorageMonitor } from './content/storage-monitor.ts';
export { openRedisConnection, type RedisConnectionOptions } from './store/redis-connection.ts';
export { openTaskOperator } from './operator/open-task-operator.ts';
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
export type { TaskEngine } from './task-engine.ts';
export { isTaskId } from './store/task-id.ts';
export { TIMELINE_EVENTS } from './store/timeline.ts';
export type { AccountCaps, TaskSettings } from './store/task-settings.ts';
