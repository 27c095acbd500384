import { GatewayError, UpstreamRefusalError } from '@sluice/canonical';
import type { AbandonedCopy } from '@sluice/files';
import { describe, expect, it } from 'vitest';
import { removeCopies } from './remove-copies.ts';

const HOUR_MS = 3_600_000;
const NOW = 1_700_000_000_000;

/** Sweeps copies with these ids. Returns the ids of calls to the vendor, and of dropped copies. */
async function sweep(ids: readonly string[], account = 'openai.one#abc', expiresAt = NOW + HOUR_MS) {
  const deleted: string[] = [];
  const dropped: string[] = [];
  const entries = ids.map((id): AbandonedCopy => ({ id, account, expiresAt, entry: id }));
  const remove = async (id: string): Promise<void> => {
    deleted.push(id);
    if (id === 'timeout') throw new Error('No response.');
    const status = { gone: 404, down: 503 }[id];
    if (status) throw new UpstreamRefusalError(status, new GatewayError('provider_error', 'No.'));
  };
  const files = { accepts: () => true, upload: () => Promise.reject(new Error('not called')), remove };
  const accounts: Parameters<typeof removeCopies>[0]['accounts'] = new Map([
    ['openai.one', { text: { account: 'abc', files } }],
  ]);
  await removeCopies({
    copies: {
      claimAbandoned: async (max, retryAt) => {
        expect(retryAt).toBe(NOW + 600_000);
        return entries.splice(0, max);
      },
      dropAbandoned: async ({ id }) => void dropped.push(id),
    },
    accounts,
    logger: { debug: () => undefined },
    signal: new AbortController().signal,
    now: () => NOW,
  });
  return { deleted, dropped };
}

describe('copies of deleted files', () => {
  it('are deleted at their vendor, and again later if that fails', async () => {
    expect(await sweep(['a', 'gone', 'down'])).toEqual({
      deleted: ['a', 'gone', 'down'],
      dropped: ['a', 'gone'],
    });
  });

  it('wait for the next try after their account does not respond', async () => {
    const ids = ['a', 'timeout', ...Array.from({ length: 200 }, (_value, at) => `id-${at}`)];
    expect(await sweep(ids)).toEqual({ deleted: ['a', 'timeout'], dropped: ['a'] });
  });

  it('are left to their vendor if they have expired there, or their credential is gone', async () => {
    const left = { deleted: [], dropped: ['a'] };
    expect(await sweep(['a'], 'openai.one#abc', NOW)).toEqual(left);
    expect(await sweep(['a'], 'openai.one#other')).toEqual(left);
    expect(await sweep(['a'], 'openai.two#abc')).toEqual(left);
  });

  it('are all deleted', async () => {
    const ids = Array.from({ length: 250 }, (_value, at) => `id-${at}`);
    expect((await sweep(ids)).deleted).toEqual(ids);
  });
});
