import { expect, it } from 'vitest';
import { mediaJob } from '../../../test/media-rig.ts';
import { stateOutcome, type StatedTask } from './task-state.ts';
import type { WireTools } from '../wire-tools.ts';

const TOOLS: WireTools = {
  reason: (words, otherwise) => words ?? otherwise,
  later: () => ({}),
  isYoung: () => true,
  isSettled: () => true,
  imageMs: 1,
  now: () => 0,
};

const told = (task: Partial<StatedTask>) =>
  stateOutcome(TOOLS, { failure: { decision: 'unknown' }, ...task }, mediaJob('https://a.example'), {
    retryAfterMs: 7,
  });

it.each([
  [{ status: 'queued' }, { kind: 'running', retryAfterMs: 7 }],
  [{ status: 'running' }, { kind: 'running', retryAfterMs: 7 }],
  [
    { status: 'succeeded', url: 'u', duration: 5, seed: 3 },
    { kind: 'succeeded', outputs: [{ url: 'u' }], seconds: '5', seed: 3 },
  ],
  [
    { status: 'succeeded', url: 'u', duration: 0, seed: 1.5 },
    { kind: 'succeeded', outputs: [{ url: 'u' }] },
  ],
  [
    { status: 'succeeded', isEmpty: true },
    { kind: 'failed', code: 'provider_error', message: 'The upstream finished without a video' },
  ],
  [
    { status: 'succeeded' },
    { kind: 'unclear', message: 'The upstream finished without returning a file', retryAfterMs: 7 },
  ],
  [
    { status: 'failed', failure: { decision: 'moderated', message: 'why' } },
    { kind: 'failed', code: 'content_policy', message: 'why' },
  ],
  [{ status: 'failed' }, { kind: 'failed', code: 'provider_error', message: 'The upstream failed without a reason' }],
  [{ status: 'Failed' }, { kind: 'unclear', message: 'The upstream returned an unknown status', retryAfterMs: 7 }],
  [{}, { kind: 'unclear', message: 'The upstream returned an unknown status', retryAfterMs: 7 }],
] as [Partial<StatedTask>, object][])('%o', (task, expected) => {
  expect(told(task)).toEqual(expected);
});

it.each(['cancelled', 'expired'])('%s ends the task', (status) => {
  expect(told({ status, url: 'u' })).toMatchObject({ kind: 'failed' });
});
