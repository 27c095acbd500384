import { type RecordedUsage, sendUsage } from '@sluice/limits';
import type { ResponseJob } from '@sluice/responses';
import type { BackgroundContext } from './background-context.ts';

/**
 * Charges a response that has ended, and removes its job. If a process dies, another one repeats this without an effect.
 * @param charge undefined if the usage was charged before
 */
export async function chargeJob(
  { limiter, jobs }: Pick<BackgroundContext, 'limiter' | 'jobs'>,
  job: ResponseJob,
  charge: string | undefined,
): Promise<void> {
  // The cast is safe because the process that ended the response wrote this value.
  if (charge !== undefined) await sendUsage(limiter, JSON.parse(charge) as RecordedUsage, jobs.dueCharge(job));
  await jobs.drop(job);
}
