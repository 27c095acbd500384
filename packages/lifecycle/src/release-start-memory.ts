import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives back the memory that only the start of a program needed: compiling and loading leave the heap three times as large
 * as what lives in it, and Node would keep it so. Takes some tens of milliseconds, so it is done once, before the first
 * request.
 */
export function releaseStartMemory(): void {
  // The way that Node's documentation of `v8.setFlagsFromString` shows.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
