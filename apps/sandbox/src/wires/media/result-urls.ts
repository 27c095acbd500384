import type { FastifyRequest } from 'fastify';
import { endOf, type MediaJob } from '../../jobs/media-job.ts';
import { hasDirective, MEDIA_DIRECTIVES } from '../../directives/media-directives.ts';
import type { MediaVendor } from './media-vendor.ts';
import { outputKind, type OutputKind } from './render-output.ts';
import { signPath } from './url-signature.ts';

export interface UrlLife {
  lifeMs: number;
  /** `end`: of the job, so all responses have the same URL. `asking`: each response has a fresh one. */
  since: 'end' | 'asking';
}

export interface ResultUrls {
  urls: string[];
  expiresAt: number;
}

const EXPIRED_MS = 1000;

/** `[expire]`: all URLs have expired; `[expire-once]`: the first ones have. */
function expiryOf(vendor: MediaVendor, job: MediaJob, life: UrlLife): number {
  const expired = vendor.now() - EXPIRED_MS;
  if (hasDirective(job.prompt, 'expire')) return expired;
  const once = hasDirective(job.prompt, 'expireOnce');
  if (once && vendor.ledger.consumeFault(job.wire, job.id, MEDIA_DIRECTIVES.expireOnce.word, 1)) return expired;
  return (life.since === 'end' ? endOf(job) : vendor.now()) + life.lifeMs;
}

/** Signed URLs of a finished job's files. Call it once per response that has URLs: `[expire-once]` counts the calls. */
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

/** A function for the URLs of a job's outputs, by index. */
export function outputUrlsOf(
  vendor: MediaVendor,
  request: FastifyRequest,
  job: MediaJob,
  life: UrlLife,
): (outputs: readonly number[]) => string[] {
  const kind = outputKind(job);
  return (outputs) => {
    const files = outputs.map((index) => ({ index, kind }));
    return files.length === 0 ? [] : createResultUrls(vendor, request, job, life, files).urls;
  };
}
