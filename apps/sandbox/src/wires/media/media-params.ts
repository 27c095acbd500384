import type { FastifyRequest } from 'fastify';
import type { JobInput, MediaJob } from '../../jobs/media-job.ts';
import { slowSeconds } from '../../directives/media-directives.ts';
import type { MediaVendor } from './media-vendor.ts';

/** A checked submission, independent of its wire. */
export interface MediaParams {
  kind: 'video' | 'image';
  model: string;
  prompt: string;
  seconds: number;
  /** Pixels; even for videos. */
  width: number;
  height: number;
  count: number;
  seed?: number | undefined;
  /** The client's name for the job. */
  reference?: string | undefined;
  path?: string | undefined;
  /** Request fields that the wire returns. */
  asked?: Record<string, unknown> | undefined;
  inputs: JobInput[];
}

/** Share of the render time during which a new job is not found, on wires that lag. */
const LAG = 0.05;

/** Stable across resubmissions: the client's request id, or else the prompt. */
export function taskOf(request: FastifyRequest, prompt: string): string {
  const named = request.headers['x-client-request-id'];
  return typeof named === 'string' && named !== '' ? named : prompt;
}

export function newJob(
  vendor: MediaVendor,
  { id, wire, task }: Pick<MediaJob, 'id' | 'wire' | 'task'>,
  params: MediaParams,
  { startsAt, hasLag }: { startsAt: number; hasLag: boolean },
): MediaJob {
  const now = vendor.now();
  const slow = slowSeconds(params.prompt);
  const lagMs = vendor.visibleAfterMs ?? (hasLag ? vendor.renderMs * LAG : 0);
  return {
    id,
    wire,
    task,
    ...params,
    createdAt: now,
    renderMs: slow === undefined ? vendor.renderMs : slow * 1000,
    ...(startsAt > now ? { startsAt } : {}),
    ...(lagMs > 0 ? { visibleAt: now + lagMs } : {}),
  };
}
