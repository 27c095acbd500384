import { subscribe } from 'node:diagnostics_channel';
import { aroundRedisCalls } from '../faults/redis-calls.ts';
import type { KillPoint } from './kill-points.ts';

/**
 * Preloaded into a worker with `--import`. Kills its process (`kill -9`) when the worker reaches a point for the nth time.
 * `SLUICE_E2E_KILL` has the point and the number, e.g. `after the result:12`.
 */

const [point = '', count = '1'] = (process.env['SLUICE_E2E_KILL'] ?? '').split(':');
let left = Number(count);

const BEFORE: Readonly<Record<string, KillPoint>> = {
  batchesBeginLine: 'before the intent',
  batchesFinishLine: 'before the result',
};
const AFTER: Readonly<Record<string, KillPoint>> = {
  batchesBeginLine: 'after the intent',
  batchesFinishLine: 'after the result',
  filesAddPart: 'after the part',
  batchesEndSegment: 'after the segment',
};
/** Events of undici, which sends the calls. */
const CALLS: Readonly<Record<string, KillPoint>> = {
  'undici:request:bodySent': 'during the call',
  'undici:request:headers': 'after the response',
};

function reached(current: KillPoint | undefined): void {
  if (current === point && (left -= 1) === 0) process.kill(process.pid, 'SIGKILL');
}

aroundRedisCalls(async (command, _args, send) => {
  reached(BEFORE[command]);
  const reply = await send();
  reached(AFTER[command]);
  return reply;
});
for (const [event, current] of Object.entries(CALLS)) subscribe(event, () => reached(current));
