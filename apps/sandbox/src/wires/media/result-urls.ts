import type { FastifyRequest } from 'fastify';
import { consumeDirective } from '../../jobs/consume-directive.ts';
import { endOf, type MediaJob } from '../../jobs/media-job.ts';
import { hasDirective } from '../../directives/media-directives.ts';
import type { MediaVendor } from './media-vendor.ts';
import { outputKind, type OutputKind } from './render-output.ts';
import { signPath } from './url-signature.ts';

export interface UrlLife {
  lifeMs: number;
  /**
   * `end`: the lifetime starts when the job ends, so all responses have the same URL. `request`: it starts at each
   * request, so each response has a new URL.
   */
  since: 'end' | 'request';
}

const EXPIRED_MS = 1000;

/** With `[expire]`, every URL is already expired. With `[expire-once]`, only the URLs of the first response are. */
function expiryOf(vendor: MediaVendor, job: MediaJob, life: UrlLife): number {
  const expired = vendor.now() - EXPIRED_MS;
  if (hasDirective(job.prompt, 'expire')) return expired;
  if (consumeDirective(vendor.ledger, 'expireOnce', job, job.id)) return expired;
  return (life.since === 'end' ? endOf(job) : vendor.now()) + life.lifeMs;
}

/**
 * Creates signed URLs for the files of a finished job. Call it once per response with URLs, because `[expire-once]`
 * counts the calls.
 */
export function createResultUrls(
  vendor: MediaVendor,
  request: FastifyRequest,
  job: MediaJob,
  life: UrlLife,
  files: readonly { index: number; kind: OutputKind }[],
) {
  const expiresAt = Math.round(expiryOf(vendor, job, life));
  const urls = files.map(({ index, kind }) => {
    const path = `/_files/${job.wire}/${encodeURIComponent(job.id)}/${index}.${kind}`;
    const signature = signPath(vendor.apiKey, path, String(expiresAt));
    return `${request.protocol}://${request.host}${path}?expires=${expiresAt}&signature=${signature}`;
  });
  return { urls, expiresAt };
}

export function outputUrlsOf(vendor: MediaVendor, request: FastifyRequest, job: MediaJob, life: UrlLife) {
  const kind = outputKind(job);
  return (outputs: readonly number[]): string[] => {
    const files = outputs.map((index) => ({ index, kind }));
    return files.length === 0 ? [] : createResultUrls(vendor, request, job, life, files).urls;
  };
}
