import type { FastifyRequest } from 'fastify';
import { jobIdFor } from '../../jobs/job-id.ts';
import type { JobInput, MediaJob } from '../../jobs/media-job.ts';
import type { Wire } from '../../jobs/wire.ts';
import { slowSeconds } from '../../directives/media-directives.ts';
import type { MediaVendor } from './media-vendor.ts';

/** What a submission wants, checked, without the spelling of its wire. */
export interface MediaParams {
  kind: 'video' | 'image';
  model: string;
  prompt: string;
  /** 0 for pictures. */
  seconds: number;
  /** Pixels; even for films. */
  width: number;
  height: number;
  /** How many films or pictures. */
  count: number;
  seed?: number | undefined;
  /** The caller's own name for the job. */
  reference?: string | undefined;
  /** What the wire must remember besides. */
  path?: string | undefined;
  /** Fields of the request that the wire tells again. */
  asked?: Record<string, unknown> | undefined;
  inputs: JobInput[];
}

/** Share of the usual rendering time for which a new job is not found, on wires that lag. */
const LAG = 0.05;

/** The caller's own name for the work, the same however often it submits; else its prompt. */
export function taskOf(request: FastifyRequest, prompt: string): string {
  const named = request.headers['x-client-request-id'];
  return typeof named === 'string' && named !== '' ? named : prompt;
}

/**
 * Makes a job of a wish.
 * @param startsAt when the vendor will begin with it.
 * @param hasLag whether the wire lags unless the settings say otherwise.
 */
export function newJob(
  vendor: MediaVendor,
  wire: Wire,
  task: string,
  params: MediaParams,
  { startsAt, hasLag }: { startsAt: number; hasLag: boolean },
): MediaJob {
  const now = vendor.now();
  const slow = slowSeconds(params.prompt);
  const lagMs = vendor.visibleAfterMs ?? (hasLag ? vendor.renderMs * LAG : 0);
  return {
    id: jobIdFor(wire, vendor.newId(), now),
    wire,
    task,
    ...params,
    createdAt: now,
    renderMs: slow === undefined ? vendor.renderMs : slow * 1000,
    ...(startsAt > now ? { startsAt } : {}),
    ...(lagMs > 0 ? { visibleAt: now + lagMs } : {}),
  };
}
