import { type MediaCapabilities, type MediaCapability, splitAccount } from '@sluice/canonical';
import type { TaskRecord } from '../../store/task-record.ts';
import type { AccountCaps } from '../../store/task-settings.ts';

export type WorkerAccount = AccountCaps & MediaCapabilities;

/** Former credentials of an account that are remembered. Tasks rarely outlive more changes than these. */
const MAX_FORMER = 16;

/**
 * The upstream accounts of a worker. A reload of the configuration replaces them, but tasks under way keep theirs: a
 * submitted task uses the address and the credential that submitted it, and a removed account serves its tasks until
 * the process ends.
 */
export class WorkerAccounts implements Iterable<string> {
  readonly #current = new Map<string, WorkerAccount>();
  readonly #former = new Map<string, WorkerAccount[]>();

  constructor(accounts: Readonly<Record<string, WorkerAccount>>) {
    this.replace(accounts);
  }

  /** @returns the names of the accounts that are new to this process */
  replace(accounts: Readonly<Record<string, WorkerAccount>>): string[] {
    const added = Object.keys(accounts).filter((name) => !this.#current.has(name));
    for (const [name, account] of Object.entries(accounts)) {
      const before = this.#current.get(name);
      if (before) this.#remember(name, before);
      this.#current.set(name, account);
    }
    return added;
  }

  has(name: string): boolean {
    return this.#current.has(name);
  }

  /** Returns the names, including those of removed accounts. */
  [Symbol.iterator](): IterableIterator<string> {
    return this.#current.keys();
  }

  get caps(): Record<string, AccountCaps> {
    return Object.fromEntries(this.#current);
  }

  /** Returns the account that submitted a task, or the current one for a task that is not submitted. */
  capabilityOf(
    record: Pick<TaskRecord, 'upstream' | 'kind' | 'status' | 'upstreamAccount'>,
  ): MediaCapability | undefined {
    const { upstream, kind, status, upstreamAccount } = record;
    const current = this.#current.get(upstream)?.[kind];
    if (status === 'queued' || upstreamAccount === undefined || current?.account === upstreamAccount) return current;
    const former = this.#former.get(upstream)?.find((account) => account[kind]?.account === upstreamAccount);
    return former?.[kind] ?? this.#memberOf(upstream, kind, upstreamAccount) ?? current;
  }

  /**
   * A task that was submitted before its upstream had a pool has no credential in its account name. It stays with the
   * vendor account that runs its job.
   */
  #memberOf(upstream: string, kind: TaskRecord['kind'], vendorAccount: string): MediaCapability | undefined {
    for (const [name, account] of this.#current) {
      if (splitAccount(name).upstream === upstream && account[kind]?.account === vendorAccount) return account[kind];
    }
    return undefined;
  }

  #remember(name: string, account: WorkerAccount): void {
    const isSame = (other: WorkerAccount): boolean =>
      other.video?.account === account.video?.account && other.image?.account === account.image?.account;
    const others = (this.#former.get(name) ?? []).filter((other) => !isSame(other));
    this.#former.set(name, [account, ...others].slice(0, MAX_FORMER));
  }
}
