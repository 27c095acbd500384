import { type TaskRecord, vendorAccountOf } from '../../store/task-record.ts';
import { acceptSubmission, unknownSubmission } from './accept-submission.ts';
import { recordResponse, timelineNote } from './timeline-note.ts';
import { fingerprintOf, referenceOf } from './submit-step.ts';
import { capabilityOf, resumeAt, DONE, retryTime, commitStep, type StepContext, type StepEnd } from './step.ts';

/**
 * Handles `submit_unknown`, and `submitting` after an interruption. The vendor may have received the request.
 *
 * The step itself never submits again. If the vendor can list jobs, the step searches them. It adopts a job if exactly
 * one unclaimed job matches and no other open submission has the same request. It returns the task to the queue only if
 * the vendor certainly has no job. Otherwise it tries again until the deadline, when the task fails as
 * `submission_unknown`.
 */
export async function resolveStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const { store, settings, logger } = context;
  const now = context.now();
  if (record.status === 'submitting') {
    // The reconciliation deadline starts now, even if no worker was available for a while.
    const note = { what: 'submission', outcome: 'interrupted' } as const;
    return commitStep(context, record, { ...unknownSubmission(context), note });
  }

  const capability = capabilityOf(context, record);
  // A stalled worker may still record the result, so wait until the deadline.
  if (!capability?.find) return commitStep(context, record, { from: ['submit_unknown'] }, record.deadlineAt);

  const request = await store.loadRequest(record.id);
  const observer = recordResponse();
  const reconciled = await capability.find(
    {
      taskId: record.id,
      reference: referenceOf(record),
      model: record.upstreamModel,
      request,
      images: [],
      submittedAt: record.submittedAt ?? now,
      lost: {
        since: record.unknownAt ?? now,
        ...(record.upstreamAccount !== undefined && { account: record.upstreamAccount }),
      },
    },
    context.signal,
    observer.observe,
  );
  const note = timelineNote('look_up', reconciled, observer);
  if (reconciled.kind === 'none') {
    const deadlineAt = Math.max(record.createdAt + settings.queueDeadlineMs, record.waitUntil ?? 0);
    return commitStep(context, record, {
      from: ['submit_unknown'],
      to: 'queued',
      enqueue: true,
      due: deadlineAt,
      set: { deadlineAt },
      note,
    });
  }
  if (reconciled.kind === 'candidates') {
    const vendorAccount = vendorAccountOf(record);
    const stores = [store, ...context.peers];
    const jobIds = reconciled.jobs.map((job) => job.upstreamId);
    const fingerprint = fingerprintOf(record.upstreamModel, request);
    const [unclaimed, counts] = await Promise.all([
      Promise.all(stores.map((one) => one.findUnclaimed(vendorAccount, jobIds))),
      Promise.all(stores.map((one) => one.countOpenSubmissions(vendorAccount, fingerprint))),
    ]);
    const openSubmissions = counts.reduce((sum, count) => sum + count, 0);
    const [upstreamId, ...others] = jobIds.filter((id) => unclaimed.every((ids) => ids.includes(id)));
    const isOwn = reconciled.certain === true || openSubmissions <= 1;
    if (upstreamId !== undefined && others.length === 0 && isOwn) {
      logger.info({ task: record.id, upstream: record.upstream }, 'lost submission reconciled; job adopted');
      const job = reconciled.jobs.find((one) => one.upstreamId === upstreamId) ?? { upstreamId };
      const adopted = { ...note, outcome: 'adopted' };
      const end = await acceptSubmission(context, record, capability, { ...job, isAdopted: true }, adopted);
      return end === DONE ? resumeAt(retryTime(context, 0)) : end;
    }
  }
  const at = Math.min(record.deadlineAt, retryTime(context, record.setbacks));
  return commitStep(context, record, { from: ['submit_unknown'], set: { setbacks: record.setbacks + 1 }, note }, at);
}
