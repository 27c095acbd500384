import type { FileContext } from './file-context.ts';
import { guarded } from './file-errors.ts';

/** A copy of a file at a vendor. Times are in Unix milliseconds. */
interface VendorCopy {
  /** As requests to the vendor refer to it. */
  id: string;
  /** Requests can refer to the copy until this time. */
  usableUntil: number;
  /** The vendor deletes the copy at this time. */
  expiresAt: number;
}

/** A copy that is no longer used, because its file was deleted or uploaded again, so the vendor should delete it. */
export interface AbandonedCopy extends Pick<VendorCopy, 'id' | 'expiresAt'> {
  account: string;
  /** Identifies the entry. */
  entry: string;
}

type CopyClaim = { state: 'copy'; id: string } | { state: 'claimed'; token: string } | { state: 'busy' };

export interface CopyPlace {
  fileId: string;
  /** Identifies the credential whose account has the copy. */
  account: string;
}

/** A claim lasts this long, unless it is renewed. */
export const CLAIM_MS = 15_000;

/** Redis keeps copies longer than their files, so that a sweep finds those of expired files. */
const SWEEP_MS = 2 * 24 * 60 * 60_000;

/**
 * Copies of files at vendors, one for each file and credential. A claim makes sure that only one request at a time
 * uploads a file. Methods throw `GatewayError('store_unavailable')` while Redis is unavailable.
 */
export interface VendorCopies {
  /** Finds the copy, or claims its upload. `busy`: another request uploads the file. */
  claim(place: CopyPlace): Promise<CopyClaim>;
  renew(place: CopyPlace, token: string): Promise<void>;
  /** Ends a claim without a copy. */
  release(place: CopyPlace, token: string): Promise<void>;
  /** Records the copy and ends the claim. @param fileExpiresAt the time at which the file expires */
  record(place: CopyPlace, token: string, copy: VendorCopy, fileExpiresAt: number): Promise<void>;
  /** Abandons a copy that the vendor refused, so that the next claim uploads the file again. */
  forget(place: CopyPlace, id: string): Promise<void>;
  /** Lists copies to delete at their vendors. @param retryAt copies that are not dropped are listed again at this time */
  claimAbandoned(max: number, retryAt: number): Promise<AbandonedCopy[]>;
  /** Ends the deletion of a copy. */
  dropAbandoned(copy: AbandonedCopy): Promise<void>;
}

export function createVendorCopies({ redis, keys, now, randomBytes }: FileContext): VendorCopies {
  const changeClaim = ({ fileId, account }: CopyPlace, token: string, ms: number) =>
    guarded(() => redis.filesChangeClaim(keys.prefix, fileId, account, token, ms));
  return {
    claim: ({ fileId, account }) =>
      guarded(async () => {
        const token = Buffer.from(randomBytes(16)).toString('hex');
        const [state, id] = await redis.filesClaimCopy(keys.prefix, fileId, account, now(), token, CLAIM_MS);
        if (state === 'copy') return { state, id };
        return state === 'claimed' ? { state, token } : { state };
      }),
    renew: async (place, token) => void (await changeClaim(place, token, CLAIM_MS)),
    release: async (place, token) => void (await changeClaim(place, token, 0)),
    record: ({ fileId, account }, token, { id, usableUntil, expiresAt }, fileExpiresAt) =>
      guarded(async () => {
        const copy = JSON.stringify([id, usableUntil, expiresAt]);
        const recordedAt = now();
        const keptMs = fileExpiresAt - recordedAt + SWEEP_MS;
        await redis.filesRecordCopy(keys.prefix, fileId, account, recordedAt, token, copy, keptMs);
      }),
    forget: ({ fileId, account }, id) =>
      guarded(async () => void (await redis.filesForgetCopy(keys.prefix, fileId, account, id, now()))),
    claimAbandoned: (max, retryAt) =>
      guarded(async () => {
        const due = await redis.filesClaimAbandoned(keys.prefix, now(), max, retryAt);
        return due.map((entry) => {
          // The casts are safe because only scripts of this package write the entries.
          const [account, copy] = JSON.parse(entry) as [string, string];
          const [id, , expiresAt] = JSON.parse(copy) as [string, number, number];
          return { account, id, expiresAt, entry };
        });
      }),
    dropAbandoned: ({ entry }) => guarded(async () => void (await redis.zrem(keys.abandoned, entry))),
  };
}
