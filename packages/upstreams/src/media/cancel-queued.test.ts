import type { PollOutcome } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { cancelQueued, canceledOr } from './cancel-queued.ts';

/** @param later the result of the second poll */
async function canceled(status: number, body: string, removal = 200, later: PollOutcome = { kind: 'running' }) {
  const calls: string[] = [];
  const outcome = await cancelQueued(
    {
      poll: { method: 'GET', path: '/job' },
      removal: { method: 'DELETE', path: '/job' },
      isQueued: (told) => told === 'queued',
      read: () => later,
    },
    { status, headers: {}, body },
    ({ method }) => {
      calls.push(method);
      return Promise.resolve({ status: method === 'DELETE' ? removal : 200, headers: {}, body: {} });
    },
  );
  return [outcome.kind, calls.join(' ')];
}

it('deletes a job only while it is queued', async () => {
  expect(await canceled(200, 'queued')).toEqual(['canceled', 'DELETE']);
  expect(await canceled(200, 'running')).toEqual(['unsupported', '']);
  expect(await canceled(500, 'queued')).toEqual(['unsupported', '']);
});

it('polls again after a refused deletion', async () => {
  expect(await canceled(200, 'queued', 409, { kind: 'succeeded' })).toEqual(['too_late', 'DELETE GET']);
  expect(await canceled(200, 'queued', 404)).toEqual(['unsupported', 'DELETE GET']);
});

it.each([302, 401, 403, 429, 500])('is unclear after HTTP %i for the deletion', async (status) => {
  expect(await canceled(200, 'queued', status)).toEqual(['unclear', 'DELETE']);
});

it.each([
  [{ kind: 'succeeded' }, 'too_late'],
  [{ kind: 'running' }, 'unsupported'],
  [{ kind: 'failed', code: 'provider_error', message: '' }, 'unsupported'],
  [{ kind: 'failed', code: 'canceled', message: '' }, 'canceled'],
  [{ kind: 'unclear', message: 'x' }, 'unclear'],
] as [PollOutcome, string][])('maps a poll of %o to %s', (poll, kind) => {
  expect(canceledOr(poll).kind).toBe(kind);
});
