import { expect, it } from 'vitest';
import { frameSize, type PolledTask, taskOutcome } from './task-outcome.ts';

const outputs = [{ url: 'u' }];

it.each([
  [{ state: 'running' }, { kind: 'running', retryAfterMs: 7 }],
  [
    { state: 'running', progress: 40 },
    { kind: 'running', progress: 40, retryAfterMs: 7 },
  ],
  [
    { state: 'succeeded', outputs, seconds: 5, size: '1x1', seed: 3 },
    { kind: 'succeeded', outputs, seconds: '5', size: '1x1', seed: 3 },
  ],
  [
    { state: 'succeeded', outputs, seconds: 0, seed: 1.5 },
    { kind: 'succeeded', outputs },
  ],
  [
    { state: 'succeeded', isEmpty: true },
    { kind: 'failed', code: 'provider_error', message: 'The upstream returned no content. Retry the request.' },
  ],
  [
    { state: 'succeeded' },
    { kind: 'unclear', message: 'The upstream returned a finished task without a file for the poll.', retryAfterMs: 7 },
  ],
  [
    { state: 'failed', failure: { code: 'content_policy' } },
    { kind: 'failed', code: 'content_policy', message: 'why' },
  ],
  [{ state: 'failed' }, { kind: 'failed', code: 'provider_error', message: 'why' }],
  [
    { state: 'canceled', outputs },
    { kind: 'failed', code: 'canceled', message: 'The task was canceled at the upstream.' },
  ],
  [
    { state: undefined, outputs },
    { kind: 'unclear', message: 'The upstream returned an unknown status for the poll.', retryAfterMs: 7 },
  ],
] as [PolledTask, object][])('%o', (task, expected) => {
  expect(taskOutcome(task, 'why', { retryAfterMs: 7 })).toEqual(expected);
});

it('returns a size only if both sides are positive integers', () => {
  expect([frameSize(1280, 720), frameSize(1280), frameSize(0, 720), frameSize(1.5, 2)]).toEqual([
    '1280x720',
    undefined,
    undefined,
    undefined,
  ]);
});
