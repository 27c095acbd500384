export * from './stop-signal.ts';
