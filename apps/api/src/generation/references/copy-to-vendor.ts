import { setTimeout } from 'node:timers/promises';
import { accountName, type FileObject, splitAccount, type VendorFiles } from '@sluice/canonical';
import { CLAIM_MS, type CopyPlace, type FileStore } from '@sluice/files';
import type { Metrics } from '@sluice/telemetry';
import type { RoutedTarget } from '../../routing/targets.ts';

/** Requests stop to use a copy this long before its vendor deletes it, because a vendor reads it during a request. */
const MARGIN_MS = 60 * 60_000;
/** For vendors that do not report when they delete a file. */
const UNKNOWN_MS = 90 * 24 * 60 * 60_000;
const WAIT_MS = 200;

export interface CopyDeps {
  files: Pick<FileStore, 'open' | 'copies'>;
  metrics: Pick<Metrics, 'vendorUploads'>;
  now: () => number;
}

/** Returns where the copy of a file for a target's credential is recorded. */
export function placeOf({ target, capability }: RoutedTarget, fileId: string): CopyPlace {
  return { fileId, account: `${accountName(target)}#${capability.account}` };
}

/**
 * Returns the vendor's id of a file. The file is uploaded once, and used until it expires at the vendor. If another
 * request uploads it, waits for the result.
 * @throws UpstreamRefusalError, an `UpstreamError`-like error, or a GatewayError
 */
export async function copyToVendor(
  deps: CopyDeps,
  vendor: VendorFiles,
  place: CopyPlace,
  file: FileObject,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const claim = await deps.files.copies.claim(place);
    if (claim.state === 'copy') return claim.id;
    if (claim.state === 'claimed') return upload(deps, vendor, { place, token: claim.token, file }, signal);
    await setTimeout(WAIT_MS, undefined, { signal });
  }
}

async function upload(
  { files, metrics, now }: CopyDeps,
  vendor: VendorFiles,
  { place, token, file }: { place: CopyPlace; token: string; file: FileObject },
  signal: AbortSignal,
): Promise<string> {
  const { copies } = files;
  const [account = ''] = place.account.split('#', 1);
  const count = (result: string) => metrics.vendorUploads.inc({ upstream: splitAccount(account).upstream, result });
  const renewal = setInterval(() => void copies.renew(place, token).catch(() => undefined), CLAIM_MS / 3);
  try {
    const source = await files.open(file.id);
    const { filename, mediaType, bytes } = file;
    const params = { filename, mediaType, bytes, expiresAt: file.expiresAt + MARGIN_MS, source };
    const { id, expiresAt = now() + UNKNOWN_MS } = await vendor.upload(params, signal).finally(() => source.destroy());
    await copies.record(place, token, { id, usableUntil: expiresAt - MARGIN_MS, expiresAt }, file.expiresAt);
    count('stored');
    return id;
  } catch (error) {
    count('failed');
    await copies.release(place, token).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
