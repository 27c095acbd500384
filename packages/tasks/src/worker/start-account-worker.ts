import { DelayedError, type Job, Worker, type WorkerOptions } from 'bullmq';
import { traceFields } from '@sluice/telemetry';
import { DamagedTaskError } from '../store/damaged-task-error.ts';
import { type ProcessResult, processTask } from './process-task.ts';
import type { StepJob } from './steps/step-job.ts';
import type { StepContext } from './steps/step.ts';
import { queueName, type TaskQueues } from './task-queue.ts';

/** Signals to BullMQ that the job is delayed. Shared, because recording a stack for each step is expensive. */
const DELAYED = new DelayedError();

const DAMAGED_RETRY_MS = 10 * 60_000;

export function startAccountWorker(
  context: StepContext,
  queues: TaskQueues,
  account: string,
  options: WorkerOptions,
  onError: (error: Error) => void,
): Worker {
  const worker = new Worker(
    queueName(account),
    async (job: Job, token?: string) => {
      const id = job.id ?? '';
      const delay = (at: number): Promise<void> => job.moveToDelayed(at, token);
      const promote = (): Promise<void> => queues.promote(account, id);
      const result = await runStep(context, account, id, { starts: job.attemptsStarted, delay, promote });
      if (result === undefined || result === 'parked') return result;
      // The record must already be written, because another worker may now get the job.
      if (result !== 'delayed') await delay(result);
      throw DELAYED;
    },
    options,
  );
  worker.on('error', onError);
  // The dispatch of a parked task adds a job, but BullMQ ignores the new job while the current one exists. So check
  // again after the current job.
  worker.on('completed', (job, result) => {
    if (result === 'parked') void wakeIfDispatched(context, queues, account, job.id ?? '').catch(onError);
  });
  return worker;
}

async function wakeIfDispatched(
  { store }: StepContext,
  queues: TaskQueues,
  account: string,
  id: string,
): Promise<void> {
  const record = await store.load(id);
  if (record?.status === 'queued' && record.dispatched) await queues.wake(account, id);
}

async function runStep(context: StepContext, account: string, id: string, job: StepJob): Promise<ProcessResult> {
  const { logger, settings, traces } = context;
  let failed: string | undefined;
  try {
    return await processTask(context, account, id, job);
  } catch (error) {
    if (error instanceof DamagedTaskError) return postpone(context, account, id, error);
    failed = 'internal_error';
    // The record contains the task's state, so the step can be repeated.
    const fields = { task: id, upstream: account, ...traceFields(traces?.of(id)) };
    logger.error({ err: error, ...fields }, 'step failed; retrying');
    return context.now() + settings.retryMinMs;
  } finally {
    traces?.end(id, failed);
  }
}

/** Delays a damaged task, because its steps fail until an operator repairs its record. */
async function postpone(context: StepContext, account: string, id: string, error: DamagedTaskError): Promise<number> {
  const { store, logger } = context;
  const until = context.now() + DAMAGED_RETRY_MS;
  logger.error({ err: error, task: id, upstream: account }, 'damaged task postponed');
  await store.postpone(id, until).catch(() => undefined); // If this fails, the sweeper wakes the task earlier.
  return until;
}
