export { JobLoop, type JobLoopOptions } from './job-loop.ts';
export { listenError } from './listen-error.ts';
export * from './stop-signal.ts';
export { limitHeapGrowth } from './limit-heap-growth.ts';
export { releaseStartMemory } from './release-start-memory.ts';
export * from './supervise-child.ts';
