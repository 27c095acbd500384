import { GatewayError } from '@sluice/canonical';
import type { ResponseJob } from '@sluice/responses';
import type { BackgroundContext } from './background-context.ts';
import { statusIn } from './internal-response.ts';

const MIN_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;
/** The delay is this part of the response's age. */
const DELAY_SHARE = 0.1;
const MAX_AGE_MS = 24 * 3_600_000;

const FINAL = ['completed', 'incomplete', 'failed', 'cancelled'] as const;

/**
 * Reads a response from the vendor that generates it. The internal API charges its usage and completes the gateway's copy.
 * If it has ended, its webhook event is sent. Otherwise, the job is due again later.
 */
export async function pollJob(context: BackgroundContext, job: ResponseJob): Promise<void> {
  const { jobs, logger, now } = context;
  const { id, owner, createdAt } = job;
  const status = await readStatus(context, job);
  const final = FINAL.find((one) => one === status);
  if (final) {
    if (await jobs.end(job, { webhook: `response.${final}` })) {
      logger.info({ response: id, client: owner, status: final }, 'background response of a vendor');
    }
    return;
  }
  const ageMs = now() - createdAt;
  if (status === 'missing' || ageMs > MAX_AGE_MS) {
    logger.warn({ response: id, client: owner, status }, 'background response of a vendor is no longer polled');
    return jobs.drop(job);
  }
  await jobs.renew(job, Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, ageMs * DELAY_SHARE)));
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
