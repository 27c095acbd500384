import type { AttemptContext, AttemptResult } from './attempt-delivery.ts';
import type { ClaimContext } from './claim-deliveries.ts';
import { retryDelayMs } from './retry-delay.ts';
import type { StoredDelivery } from '../store/stored-delivery.ts';

export interface RecordContext extends ClaimContext {
  logger: AttemptContext['logger'];
  random: () => number;
}

/** Records and logs an attempt's result. If the claim is no longer valid, the stale worker's result is ignored. */
export async function recordAttempt(
  context: RecordContext,
  delivery: StoredDelivery,
  claim: string,
  result: AttemptResult,
): Promise<void> {
  const { logger, now } = context;
  if (result.outcome === 'release') {
    const record = { outcome: 'release', attempt: '', response: '', at: now() + (result.afterMs ?? 0), kind: '' };
    const isReleased = await write(context, delivery, claim, record);
    logger.debug({ delivery: delivery.id }, isReleased ? 'webhook attempt released' : STALE);
    return;
  }
  const { attempt, response } = result;
  const delayMs = result.outcome === 'retry' ? delayAfter(context, delivery, result.retryAfterMs) : undefined;
  const outcome = result.outcome === 'retry' && delayMs === undefined ? 'failed' : result.outcome;
  const isWritten = await write(context, delivery, claim, {
    outcome,
    attempt: JSON.stringify(attempt),
    response: response ? JSON.stringify({ at: attempt.at, ...response }) : '',
    at: now() + (delayMs ?? 0),
    kind: attempt.error ?? `${String(attempt.status).charAt(0)}xx`,
  });
  const details = { delivery: delivery.id, task: delivery.taskId, ...attempt, outcome };
  if (!isWritten) logger.info(details, STALE);
  else if (outcome === 'delivered') logger.debug(details, 'webhook delivered');
  else logger.info(details, outcome === 'failed' ? 'webhook delivery failed' : 'webhook attempt failed; retrying');
}

const STALE = 'webhook attempt of a stale worker ignored';

function delayAfter(
  { settings, random }: RecordContext,
  { tries }: StoredDelivery,
  retryAfterMs: number | undefined,
): number | undefined {
  return retryDelayMs(settings.retryMs, { failed: tries + 1, retryAfterMs, random: random() });
}

interface AttemptRecord {
  outcome: string;
  attempt: string; // The attempt, in JSON.
  response: string; // A `StoredResponse` in JSON, or ''.
  at: number; // When the next attempt is due, in Unix milliseconds.
  kind: string; // The name in the statistics: a status class (e.g. `2xx`) or the failure.
}

/** Writes the result. Returns false if the claim is no longer valid. */
async function write(
  { redis, keys, settings, now }: RecordContext,
  { id }: StoredDelivery,
  claim: string,
  { outcome, attempt, response, at, kind }: AttemptRecord,
): Promise<boolean> {
  const limits = [settings.perHost, settings.perOwner];
  const fields = [id, claim, outcome, attempt, at, kind, response];
  return (await redis.webhooksRecordOutcome(keys.delivery(id), keys.prefix, now(), ...limits, ...fields)) === 1;
}
