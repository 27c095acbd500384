export * from './redis-test.ts';
export * from './scripted-vendor.ts';
export * from './task-rig.ts';
