import type { FastifyRequest } from 'fastify';
import { endOf, type MediaJob } from '../../jobs/media-job.ts';
import { hasDirective, MEDIA_DIRECTIVES } from '../../directives/media-directives.ts';
import type { MediaVendor } from './media-vendor.ts';
import type { OutputKind } from './render-output.ts';
import { signPath } from './url-signature.ts';

/** How long a vendor's result URLs live. */
export interface UrlLife {
  lifeMs: number;
  /** `end`: of the job, so that every answer tells the same URL. `asking`: each answer tells a fresh one. */
  since: 'end' | 'asking';
}

/** URLs that are handed out together. */
export interface ResultUrls {
  urls: string[];
  /** Unix milliseconds. */
  expiresAt: number;
}

/** How long ago an expired URL has expired. */
const EXPIRED_MS = 1000;

/** With `[expire]` every URL has expired before it is told; with `[expire-once]` those that are handed out first. */
function expiryOf(vendor: MediaVendor, job: MediaJob, life: UrlLife): number {
  const expired = vendor.now() - EXPIRED_MS;
  if (hasDirective(job.prompt, 'expire')) return expired;
  const once = hasDirective(job.prompt, 'expireOnce');
  if (once && vendor.ledger.consumeFault(job.wire, job.id, MEDIA_DIRECTIVES.expireOnce.word, 1)) return expired;
  return (life.since === 'end' ? endOf(job) : vendor.now()) + life.lifeMs;
}

/**
 * Hands out signed URLs of a finished job's files, as object stores have them, on the host that the caller has reached.
 * Call it once for each answer, and only for answers that tell URLs: `[expire-once]` counts its calls.
 * @param files index and kind of each file.
 */
export function createResultUrls(
  vendor: MediaVendor,
  request: FastifyRequest,
  job: MediaJob,
  life: UrlLife,
  files: readonly { index: number; kind: OutputKind }[],
): ResultUrls {
  const expiresAt = Math.round(expiryOf(vendor, job, life));
  const urls = files.map(({ index, kind }) => {
    const path = `/_files/${job.wire}/${encodeURIComponent(job.id)}/${index}.${kind}`;
    const signature = signPath(vendor.apiKey, path, String(expiresAt));
    return `${request.protocol}://${request.host}${path}?expires=${expiresAt}&signature=${signature}`;
  });
  return { urls, expiresAt };
}
