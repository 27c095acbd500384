export { listenError } from './listen-error.ts';
export * from './stop-signal.ts';
export { releaseStartMemory } from './release-start-memory.ts';
export * from './supervise-child.ts';
