import type { ReactElement } from 'react';
import type { TaskDetails } from '../../api/tasks.ts';
import type { Tone } from '../../components/badge.tsx';
import { Section } from '../../components/page-head.tsx';
import { type Span, Waterfall } from '../../components/waterfall.tsx';
import { useNow } from '../../lib/use-now.ts';
import { isEnded, statusTone } from './task-status.tsx';

type Status = TaskDetails['status'];

const PHASES: Readonly<Record<Status, string>> = {
  queued: 'Queue wait',
  submitting: 'Submission',
  submit_unknown: 'Search for the lost job',
  in_progress: 'At the vendor',
  finishing: 'Download',
  canceling: 'Cancelation',
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
};

/** The phases of a task on one scale: queue wait, submission, run with its polls, download, and webhooks. */
export function TaskTimeline({ task }: { task: TaskDetails }): ReactElement {
  const now = useNow(1_000);
  const spans = spansOf(task, now);
  return (
    <Section title="Timeline" aside={`${task.attempt} ${task.attempt === 1 ? 'attempt' : 'attempts'}`}>
      <Waterfall spans={spans} totalMs={Math.max(...spans.map((span) => span.startMs + span.durationMs))} />
    </Section>
  );
}

interface Phase {
  status: Status;
  startMs: number;
  upstream: string;
  attempt: number;
  polls: number;
}

function spansOf({ timeline, deliveries, status }: TaskDetails, now: number): Span[] {
  const phases: Phase[] = [];
  for (const { at_ms: at, status: after, upstream, attempt, what, count = 1 } of timeline) {
    const polls = what === 'poll' || what === 'look_up' ? count : 0;
    const last = phases.at(-1);
    if (last) last.polls += polls;
    if (last?.status === after) Object.assign(last, { upstream, attempt });
    else phases.push({ status: after, startMs: at, upstream, attempt, polls: 0 });
  }
  const beginMs = phases[0]?.startMs ?? now;
  const spans = phases
    .filter((phase) => !isEnded(phase.status))
    .map((phase, at): Span => {
      const endMs = phases[at + 1]?.startMs ?? Math.max(now, phase.startMs);
      return {
        id: String(at),
        label: PHASES[phase.status],
        detail: detailOf(phase),
        startMs: phase.startMs - beginMs,
        durationMs: endMs - phase.startMs,
        tone: toneOf(phase.status, phases[at + 1]?.status),
      };
    });
  const end = phases.at(-1);
  const endMs = isEnded(status) && end ? end.startMs - beginMs : 0;
  return [...spans, ...deliveries.map((delivery) => webhookSpan(delivery, endMs, now - beginMs))];
}

/** @param next undefined for the current phase. A phase in which the task failed has the color of the failure. */
function toneOf(status: Status, next: Status | undefined): Tone {
  if (next === undefined) return 'accent';
  if (status === 'submit_unknown') return 'warn';
  if (isEnded(next)) return statusTone(next);
  return status === 'queued' ? 'neutral' : 'ok';
}

function detailOf({ status, upstream, attempt, polls }: Phase): string {
  const polled = polls === 0 ? undefined : `${polls} ${polls === 1 ? 'poll' : 'polls'}`;
  const where = status === 'queued' && attempt === 0 ? undefined : `${upstream} #${attempt}`;
  return [where, polled].filter((part) => part !== undefined).join(' · ');
}

/** Times of deliveries are whole seconds, so the span is measured from the end of the task. */
function webhookSpan(delivery: TaskDetails['deliveries'][number], endMs: number, nowMs: number): Span {
  const { id, status, attempts, created_at: createdAt } = delivery;
  const last = attempts.at(-1);
  const spent = last ? (last.at - createdAt) * 1_000 + last.duration_ms : nowMs - endMs;
  return {
    id,
    label: 'Webhook',
    detail: `${status}, ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`,
    startMs: endMs,
    durationMs: Math.max(0, spent),
    tone: status === 'delivered' ? 'ok' : status === 'failed' ? 'bad' : 'accent',
  };
}
