import { type RecordedUsage, sendUsage } from '@sluice/limits';
import { parseResponseEvent } from '@sluice/protocols';
import { isOpen, type ResponseJob, type StoredResponse } from '@sluice/responses';
import type { BackgroundContext } from './background-context.ts';
import { chargeJob } from './charge-job.ts';
import { EventWriter, readRecorded } from './event-writer.ts';
import { endedResponse, errorOf, failedResponse, finalResponse, type FinalResponse } from './final-response.ts';
import { errorIn, eventsIn } from './internal-response.ts';
import { Lease } from './lease.ts';
import { RunUsage } from '../stored-requests/run-usage.ts';

/** A response that kills its workers must not cost without end. */
const MAX_CLAIMS = 5;
/** The API has written `response.created` and `response.queued`. */
const FIRST_EVENT = 2;
const UNKNOWN = {
  code: 'server_error',
  message: 'The worker stopped during the call, so the outcome at the upstream is unknown. Create the response again.',
};

/**
 * Runs a background response, or charges one whose worker died before it did so.
 * @param stopping returns the job to the queue
 * @throws errors of Redis; another worker then claims the job
 */
export async function runJob(context: BackgroundContext, job: ResponseJob, stopping: AbortSignal): Promise<void> {
  const { jobs, records, timing } = context;
  if (job.state === 'ended') return chargeJob(context, job, job.charge);
  const record = await records.read(job.owner, job.id);
  if (!record) return jobs.drop(job);
  const usage = new RunUsage(job, record);
  const known = isOpen(record) ? unknownOutcome(context, job, record) : endedResponse(record);
  if (known) return void (await end(context, job, known, usage.none));
  const lease = new Lease({ ...timing, jobs, claim: job });
  try {
    if (!(await jobs.begin(job, { ...record, status: 'in_progress' }))) return;
    const signal = AbortSignal.any([lease.signal, stopping]);
    const final = await generate(context, job, { record, usage, lease, signal });
    const used = await usage.ended();
    if (final && (await end(context, job, final, used))) return;
    // Without a result, the worker stops, unless it has lost the job.
    await lease.renew(final ? undefined : 0);
    // A client has canceled the response. If another worker has claimed the job, only that worker's call is charged.
    if (lease.state === 'gone' && used) await sendUsage(context.limiter, used);
  } finally {
    lease.stop();
  }
}

/** Decides whether a response that a dead worker has begun is generated again. */
function unknownOutcome(
  { settings }: BackgroundContext,
  { state, epoch }: ResponseJob,
  record: StoredResponse,
): FinalResponse | undefined {
  if (state === 'queued' || (settings().retry_unknown && epoch <= MAX_CLAIMS)) return undefined;
  return failedResponse(record, UNKNOWN);
}

interface Run {
  record: StoredResponse;
  usage: RunUsage;
  lease: Lease;
  signal: AbortSignal;
}

/** @returns undefined if the signal aborts */
async function generate(context: BackgroundContext, job: ResponseJob, run: Run): Promise<FinalResponse | undefined> {
  const { record, usage, signal } = run;
  const { owner, headers, body } = job;
  try {
    const request = { owner, method: 'POST' as const, path: '/v1/responses', headers, body };
    const response = await context.serve({ ...request, signal, run: usage.run });
    if (response.status !== 200) return failedResponse(record, await errorIn(response.body));
    return await readEvents(context, job, run, response);
  } catch (error) {
    if (signal.aborted) return undefined;
    const shown = errorOf(error);
    context.logger.error({ err: error, response: record.id, code: shown.code }, 'background response failed');
    return failedResponse(record, shown);
  }
}

async function readEvents(
  { jobs, log }: BackgroundContext,
  job: ResponseJob,
  { record, lease }: Run,
  { headers, body }: Awaited<ReturnType<BackgroundContext['serve']>>,
): Promise<FinalResponse> {
  const recorded = job.state === 'called' ? await readRecorded(log, job) : [];
  // The connection logs outages of Redis.
  const onLost = (): void => void lease.renew().catch(() => undefined);
  const writer = new EventWriter({ jobs, claim: job, recorded, onLost }, FIRST_EVENT);
  let final: FinalResponse | undefined;
  for await (const text of eventsIn(body)) {
    const event = parseResponseEvent(text);
    if (!event || event.type === 'response.created') continue;
    final = finalResponse(record, event, String(headers['x-sluice-upstream'] ?? ''));
    if (!final) await writer.write(event);
  }
  await writer.end();
  if (final) return final;
  throw new Error('the response ended without its last event');
}

/** @returns false if the worker has lost the job */
async function end(
  context: BackgroundContext,
  job: ResponseJob,
  { record, event }: FinalResponse,
  used: RecordedUsage | undefined,
): Promise<boolean> {
  const { jobs, timing, logger } = context;
  const { id, owner, model, status } = record;
  const result = { record, event, webhook: `response.${status}` as const, leaseMs: timing.leaseMs };
  const charge = used && JSON.stringify(used);
  const isEnded = await jobs.end(job, { ...result, charge });
  if (!isEnded) return false;
  logger.info({ response: id, client: owner, model, status }, 'background response');
  if (charge !== undefined) await chargeJob(context, job, charge);
  return true;
}
