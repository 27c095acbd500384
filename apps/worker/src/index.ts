export { buildWorker, type BuiltWorker } from './build-worker.ts';
