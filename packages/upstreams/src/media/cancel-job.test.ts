import type { PollOutcome } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { mediaContext } from '../../test/media-context.ts';
import { mediaJob } from '../../test/media-rig.ts';
import { cancelJob, canceledOr } from './cancel-job.ts';
import { wireTools } from './wire-tools.ts';

const TOOLS = wireTools({ kind: 'any', base_url: 'https://vendor.example' }, mediaContext([]));

/** Cancels a job that can be deleted only while it is queued. @param later the result of the second poll */
async function canceled(status: number, body: string, removal = 200, later: PollOutcome = { kind: 'running' }) {
  const calls: string[] = [];
  const outcome = await cancelJob(
    { call: () => ({ method: 'DELETE', path: '/job' }), isCancelable: (state) => state === 'queued' },
    mediaJob('https://vendor.example'),
    { call: { method: 'GET', path: '/job' }, read: () => later },
    TOOLS,
    ({ method }) => {
      calls.push(method);
      return Promise.resolve({ status: method === 'DELETE' ? removal : status, headers: {}, body });
    },
  );
  return [outcome.kind, calls.join(' ')];
}

it('deletes a job only while it is queued', async () => {
  expect(await canceled(200, 'queued')).toEqual(['canceled', 'GET DELETE']);
  expect(await canceled(200, 'running')).toEqual(['unsupported', 'GET']);
  expect(await canceled(500, 'queued')).toEqual(['unsupported', 'GET']);
});

it('polls again after a refused deletion', async () => {
  expect(await canceled(200, 'queued', 409, { kind: 'succeeded' })).toEqual(['too_late', 'GET DELETE GET']);
  expect(await canceled(200, 'queued', 404)).toEqual(['unsupported', 'GET DELETE GET']);
});

it.each([302, 401, 403, 429, 500])('is unclear after HTTP %i for the deletion', async (status) => {
  expect(await canceled(200, 'queued', status)).toEqual(['unclear', 'GET DELETE']);
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
