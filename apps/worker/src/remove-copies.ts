import { UpstreamRefusalError, type VendorFiles } from '@sluice/canonical';
import type { AbandonedCopy, VendorCopies } from '@sluice/files';
import type { Logger } from '@sluice/telemetry';

interface RemoveDeps {
  copies: Pick<VendorCopies, 'claimAbandoned' | 'dropAbandoned'>;
  /** The accounts of upstreams, by name. */
  accounts: ReadonlyMap<string, { text?: { account: string; files?: VendorFiles | undefined } }>;
  logger: Pick<Logger, 'debug'>;
  signal: AbortSignal;
  now: () => number;
}

const STEP = 100;
const RETRY_MS = 10 * 60_000;

/**
 * Deletes abandoned copies at their vendors. A failed deletion is repeated until the vendor has deleted the copy itself.
 * Copies of credentials that no longer exist are left to their vendors. After an account does not respond, its copies
 * wait for the next try, because each would take a timeout.
 */
export async function removeCopies(deps: RemoveDeps): Promise<void> {
  const { copies, now, signal } = deps;
  const unavailable = new Set<string>();
  for (;;) {
    const abandoned = await copies.claimAbandoned(STEP, now() + RETRY_MS);
    for (const copy of abandoned) {
      signal.throwIfAborted();
      if (await removed(deps, copy, unavailable)) await copies.dropAbandoned(copy);
    }
    if (abandoned.length < STEP) return;
  }
}

/** Returns false if the deletion should be repeated. */
async function removed(
  { accounts, logger, now, signal }: RemoveDeps,
  copy: AbandonedCopy,
  unavailable: Set<string>,
): Promise<boolean> {
  const at = copy.account.lastIndexOf('#');
  const name = copy.account.slice(0, at);
  const text = accounts.get(name)?.text;
  if (!text?.files || text.account !== copy.account.slice(at + 1) || copy.expiresAt <= now()) return true;
  if (unavailable.has(copy.account)) return false;
  try {
    await text.files.remove(copy.id, signal);
    return true;
  } catch (error) {
    if (!(error instanceof UpstreamRefusalError)) unavailable.add(copy.account);
    else if (error.status === 404) return true;
    logger.debug({ err: error, upstream: name }, 'copy of a deleted file could not be deleted at its upstream');
    return false;
  }
}
