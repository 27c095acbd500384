export * from './fault-proxy.ts';
export * from './loopback-trap.ts';
export * from './redis-proxy.ts';
export * from './redis-test.ts';
export * from './s3-server.ts';
export * from './scripted-vendor.ts';
export * from './task-rig.ts';
export * from './vendor-gate.ts';
