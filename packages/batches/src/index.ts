export {
  type BatchChange,
  type BatchListing,
  type BatchPage,
  type BatchSearch,
  type BatchStats,
  type BatchStore,
  createBatchStore,
  type OwnedBatch,
} from './batch-store.ts';
export { type BatchWorker, type BatchWorkerOptions, startBatchWorker } from './batch-worker.ts';
export { CustomIds } from './input/custom-ids.ts';
export type { InputRules } from './input/check-line.ts';
export { type RawLine, splitLines } from './input/split-lines.ts';
export { InvalidBatchInput, type ReadLine, readBatchLines } from './input/read-batch-lines.ts';
export type { BatchSettings } from './store/batch-settings.ts';
export type {
  BatchObserver,
  LineCharge,
  LineKind,
  LineRequest,
  LineResponse,
  LineUse,
  ServeLine,
  VendorBatches,
  VendorLine,
  WorkerSettings,
} from './worker/worker-context.ts';
