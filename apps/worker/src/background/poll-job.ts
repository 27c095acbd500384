import { GatewayError } from '@sluice/canonical';
import type { RecordedUsage } from '@sluice/limits';
import type { ResponseJob } from '@sluice/responses';
import type { BackgroundContext } from './background-context.ts';
import { chargeJob } from './charge-job.ts';
import { statusIn } from './internal-response.ts';

const MIN_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;
/** The delay is this part of the response's age. */
const DELAY_SHARE = 0.1;
const MAX_AGE_MS = 24 * 3_600_000;

const FINAL = ['completed', 'incomplete', 'failed', 'cancelled'] as const;

/**
 * Reads a response from the vendor that generates it. The internal API completes the gateway's copy. If the response has
 * ended, the internal API also ends the job and charges the usage. Otherwise, the job is due again later.
 */
export async function pollJob(context: BackgroundContext, job: ResponseJob): Promise<void> {
  const { jobs, logger, now } = context;
  if (job.state === 'ended') return chargeJob(context, job, job.charge);
  const { id, owner, createdAt, unknown } = job;
  const status = await readStatus(context, job);
  const final = FINAL.find((one) => one === status);
  if (final) {
    if (unknown === undefined) await jobs.end(job, { webhook: `response.${final}` });
    // If the internal API could not charge the usage, the response is read again.
    else await jobs.renew(job, MIN_DELAY_MS);
    return logger.info({ response: id, client: owner, status: final }, 'background response of a vendor');
  }
  const ageMs = now() - createdAt;
  if (status === 'missing' || ageMs > MAX_AGE_MS) {
    logger.warn({ response: id, client: owner, status }, 'background response of a vendor is no longer polled');
    return unknown === undefined ? jobs.drop(job) : chargeUnknown(context, job, unknown);
  }
  await jobs.renew(job, Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, ageMs * DELAY_SHARE)));
}

/** The vendor may have charged a response whose end is unknown, so the key pays what was reserved. */
async function chargeUnknown(context: BackgroundContext, job: ResponseJob, unknown: string): Promise<void> {
  // The cast is safe because the API wrote this value.
  const open = JSON.parse(unknown) as RecordedUsage;
  const entry = open.entry && JSON.stringify({ ...(JSON.parse(open.entry) as object), at: context.now() });
  const charge = JSON.stringify({ ...open, entry });
  if (await context.jobs.end(job, { charge, leaseMs: context.timing.leaseMs })) await chargeJob(context, job, charge);
}

/** @returns the status at the vendor, `missing` if the response or its key does not exist, or undefined for an error */
async function readStatus(
  { serve, logger }: BackgroundContext,
  { owner, id }: ResponseJob,
): Promise<string | undefined> {
  try {
    const response = await serve({ owner, method: 'GET', path: `/v1/responses/${encodeURIComponent(id)}` });
    if (response.status === 200) return await statusIn(response.body);
    response.body.destroy();
    return response.status === 404 ? 'missing' : undefined;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_api_key') return 'missing';
    logger.warn({ err: error, response: id }, 'background response of a vendor cannot be read');
    return undefined;
  }
}
