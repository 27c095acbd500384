import { splitAccount } from '@sluice/canonical';
import type { AttemptTrace, StepTrace, TraceAttributes, Tracing } from '@sluice/telemetry';
import type { TaskRecord } from '../../store/task-record.ts';

/** Names of the steps by the status in which they start. Steps in other statuses do nothing. */
const STEPS: Readonly<Partial<Record<TaskRecord['status'], string>>> = {
  queued: 'submit',
  submitting: 'reconcile',
  submit_unknown: 'reconcile',
  in_progress: 'poll',
  finishing: 'download',
  canceling: 'cancel',
};

/**
 * The span of one step. It is exported only if the step changed the task's state, or called the upstream with a result
 * that matters. Polls of a running job would otherwise hide the rest of a trace, so one span covers the whole run.
 */
export class TracedStep {
  readonly #trace: StepTrace;
  readonly #before: TaskRecord;
  #status: TaskRecord['status'];
  #isExported = false;
  #error: string | undefined;
  #bytes: number | undefined;
  readonly #openCalls = new Set<AttemptTrace>();

  constructor(tracing: Tracing, record: TaskRecord) {
    this.#before = record;
    this.#status = record.status;
    const name = `${STEPS[record.status] ?? record.status} ${record.kind}`;
    this.#trace = tracing.startStep(record.trace, { name, attributes: attributesOf(record) });
  }

  get ids(): StepTrace['ids'] {
    return this.#trace.ids;
  }

  startCall(call: string): AttemptTrace {
    const { kind, upstream: account, upstreamModel: model } = this.#before;
    const { upstream } = splitAccount(account);
    const operation = `${call === 'submit' ? 'generate' : call}_${kind}`;
    const started = this.#trace.startCall({ operation, upstream, model });
    this.#openCalls.add(started);
    return started;
  }

  /** @param result `served` or the error code */
  endCall(call: AttemptTrace, { kind, result, bytes }: { kind: string; result: string; bytes?: number }): void {
    this.#openCalls.delete(call);
    if (kind === 'running') return call.measure();
    this.#isExported = true;
    call.setAttributes({ 'http.response.body.size': bytes });
    call.end(result === 'served' ? undefined : { type: result });
  }

  /** Adds an event for a change of the task's state. Periods that ended with the change become spans of their own. */
  moved(record: TaskRecord): void {
    const from = this.#status;
    if (record.status === from) return;
    this.#isExported = true;
    this.#status = record.status;
    this.#error = record.error?.code;
    if (record.status === 'completed') this.#bytes = storedBytes(record);
    this.#trace.addEvent('state changed', {
      'sluice.task.state.before': from,
      'sluice.task.state': record.status,
      'sluice.task.attempt': record.attempt,
    });
    const { kind, createdAt, submittedAt, acceptedAt, polls, unclearPolls } = record;
    if (record.status === 'submitting' && record.attempt === 1 && submittedAt !== undefined) {
      this.#addPeriod(`queue ${kind}`, createdAt, submittedAt, {});
    }
    if (from === 'in_progress' && acceptedAt !== undefined) {
      const counts = { 'sluice.task.polls': polls, 'sluice.task.unclear_polls': unclearPolls };
      this.#addPeriod(`run ${kind}`, acceptedAt, record.polledAt ?? acceptedAt, counts);
    }
  }

  end(thrown: string | undefined): void {
    const error = thrown ?? this.#error;
    // E.g. a download whose file the content store did not accept.
    for (const call of this.#openCalls) this.endCall(call, { kind: 'aborted', result: thrown ?? 'aborted' });
    if (this.#isExported || thrown !== undefined)
      this.#trace.end({ attributes: { 'sluice.task.bytes': this.#bytes }, error });
  }

  #addPeriod(name: string, startedAt: number, endedAt: number, attributes: TraceAttributes): void {
    this.#trace.addPeriod({ name, startedAt, endedAt, attributes: { ...attributesOf(this.#before), ...attributes } });
  }
}

function storedBytes({ outputs }: TaskRecord): number {
  return outputs.reduce((sum, { content }) => sum + (content?.bytes ?? 0), 0);
}

function attributesOf({ id, kind, ownerId, upstream, upstreamModel, epoch }: TaskRecord): TraceAttributes {
  return {
    'sluice.task.id': id,
    'sluice.task.kind': kind,
    'sluice.task.epoch': epoch,
    'sluice.key.name': ownerId,
    'sluice.upstream': splitAccount(upstream).upstream,
    'gen_ai.request.model': upstreamModel,
  };
}
