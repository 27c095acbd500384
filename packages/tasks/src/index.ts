export * from './content-store.ts';
export * from './task-engine.ts';
