export { createTaskEngine, type TaskEngineOptions } from './create-task-engine.ts';
export { createTaskWorker, type TaskWorker, type TaskWorkerOptions, type WorkerAccount } from './create-task-worker.ts';
export {
  type ByteRange,
  ContentMissingError,
  type ContentStore,
  ContentTooLargeError,
  ContentUnavailableError,
  discardContent,
  type WrittenBlob,
} from './content-store.ts';
export { createLocalContentStore } from './local-content-store.ts';
export { openContentStore } from './open-content-store.ts';
export { openRedisConnection, type RedisConnectionOptions } from './redis-connection.ts';
export { openTaskOperator } from './operator/open-task-operator.ts';
export {
  showDossier,
  type ShownDossier,
  type ShownEntry,
  type ShownTask,
  showResult,
  showTask,
} from './operator/show-task.ts';
export type { OperatorAct, OperatorResult, TaskOperator } from './operator/task-operator.ts';
export type { FetchedInput } from './steps/step.ts';
export type {
  AdmittedTask,
  NewTask,
  TaskAllowance,
  TaskChange,
  TaskEngine,
  TaskListing,
  TaskPage,
  TaskPrice,
  TaskStats,
  TaskTarget,
} from './task-engine.ts';
export { isTaskId } from './task-id.ts';
export { TIMELINE_EVENTS } from './timeline.ts';
export type { AccountCaps, TaskSettings } from './task-settings.ts';
