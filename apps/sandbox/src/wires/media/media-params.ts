import type { FastifyRequest } from 'fastify';
import type { MediaJob } from '../../jobs/media-job.ts';
import { slowSeconds } from '../../directives/media-directives.ts';
import type { MediaVendor } from './media-vendor.ts';

/** The validated parameters of a submission, independent of the vendor API. The sides of videos are even. */
export type MediaParams = Omit<
  MediaJob,
  'id' | 'wire' | 'task' | 'createdAt' | 'startsAt' | 'visibleAt' | 'renderMs' | 'canceledAt'
>;

/** Share of the render time during which a new job is not found, if the vendor API delays visibility. */
const LAG = 0.05;

/** Returns the client's request id, or the prompt if there is none. Resubmissions have the same value. */
export function taskOf(request: FastifyRequest, prompt: string): string {
  const id = request.headers['x-client-request-id'];
  return typeof id === 'string' && id !== '' ? id : prompt;
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
    ...(startsAt > now && { startsAt }),
    ...(lagMs > 0 && { visibleAt: now + lagMs }),
  };
}
