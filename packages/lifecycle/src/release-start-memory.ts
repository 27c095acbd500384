import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Compiling and loading triple the heap, and Node would not shrink it. This takes tens of milliseconds, so call it
 * once, before the first request.
 */
export function releaseStartMemory(): void {
  // As in Node's documentation of `v8.setFlagsFromString`.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
