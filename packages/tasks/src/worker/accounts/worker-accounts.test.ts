import type { MediaCapability } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { type WorkerAccount, WorkerAccounts } from './worker-accounts.ts';

function account(credential: string): WorkerAccount {
  return { maxSubmitting: 1, video: { account: credential } as MediaCapability }; // The class reads only this field.
}

const submitted = { upstream: 'vendor', kind: 'video', status: 'in_progress', upstreamAccount: 'one' } as const;
const queued = { ...submitted, status: 'queued' } as const;

describe('WorkerAccounts', () => {
  it('gives a submitted task the credential that submitted it, and others the current one', () => {
    const accounts = new WorkerAccounts({ vendor: account('one') });
    accounts.replace({ vendor: account('two') });
    accounts.replace({ vendor: account('three') });
    expect(accounts.capabilityOf(submitted)?.account).toBe('one');
    expect(accounts.capabilityOf({ ...submitted, upstreamAccount: 'two' })?.account).toBe('two');
    expect(accounts.capabilityOf(queued)?.account).toBe('three');
    expect(accounts.capabilityOf({ ...submitted, upstreamAccount: undefined })?.account).toBe('three');
  });

  it('uses the current credential if the process does not know the former one', () => {
    const accounts = new WorkerAccounts({ vendor: account('two') });
    expect(accounts.capabilityOf(submitted)?.account).toBe('two');
  });

  it('keeps a removed account for its tasks, and reports new ones', () => {
    const accounts = new WorkerAccounts({ vendor: account('one') });
    expect(accounts.replace({ other: account('x') })).toEqual(['other']);
    expect([...accounts]).toEqual(['vendor', 'other']);
    expect(accounts.has('vendor')).toBe(true);
    expect(accounts.capabilityOf(queued)?.account).toBe('one');
    expect(accounts.caps).toMatchObject({ vendor: { maxSubmitting: 1 }, other: { maxSubmitting: 1 } });
    expect(accounts.replace({ vendor: account('one') })).toEqual([]);
  });

  it('remembers a limited number of former credentials', () => {
    const accounts = new WorkerAccounts({ vendor: account('one') });
    for (let change = 0; change < 16; change += 1) accounts.replace({ vendor: account(`c${change}`) });
    expect(accounts.capabilityOf(submitted)?.account).toBe('one');
    accounts.replace({ vendor: account('last') });
    expect(accounts.capabilityOf(submitted)?.account).toBe('last');
  });
});
