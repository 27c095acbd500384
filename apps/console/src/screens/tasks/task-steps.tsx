import type { ReactElement } from 'react';
import type { TimelineEntry } from '../../api/tasks.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page-head.tsx';
import { accountText } from '../../lib/account-text.ts';
import { formatDuration, formatTime } from '../../lib/format.ts';
import { statusText, statusTone } from './task-status.tsx';

const STEPS: Readonly<Record<TimelineEntry['what'], string>> = {
  accepted: 'Request accepted',
  inputs: 'Input images',
  queue: 'Queue changed by the client',
  dispatched: 'Left the queue',
  submission: 'Submission',
  look_up: 'Search for the job',
  poll: 'Poll',
  download: 'Download',
  cancel: 'Cancelation',
  delete: 'Deletion',
  operator: 'Operator',
  end: 'End',
};

/** Every step of every attempt. Equal steps in a row are one line with a count. */
export function TaskSteps({ timeline }: { timeline: readonly TimelineEntry[] }): ReactElement {
  const beginMs = timeline[0]?.at_ms ?? 0;
  const steps = folded(timeline);
  return (
    <Section title="Steps" aside={`${steps.length}`}>
      <ol className="divide-y divide-line">
        {steps.map((entry, at) => (
          <Step key={`${entry.at_ms}-${at}`} entry={entry} sinceMs={entry.at_ms - beginMs} />
        ))}
      </ol>
    </Section>
  );
}

function Step({ entry, sinceMs }: { entry: TimelineEntry; sinceMs: number }): ReactElement {
  const { what, outcome, status, attempt, http_status: http, code, reason, by, note, count } = entry;
  const facts = [
    attempt > 0 ? `${accountText(entry)} #${attempt}` : accountText(entry),
    http === undefined ? undefined : `HTTP ${http}`,
    code,
    count === undefined ? undefined : `${count} times${untilOf(entry)}`,
    by === undefined ? undefined : `by ${by}`,
  ];
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-2 sm:grid-cols-[5.5rem_minmax(0,1fr)_9rem]">
      <time
        dateTime={new Date(entry.at_ms).toISOString()}
        title={formatTime(entry.at_ms)}
        className="text-xs leading-5 text-muted tabular-nums"
      >
        +{formatDuration(Math.max(0, sinceMs))}
      </time>
      <div className="min-w-0">
        <span className="font-medium">{STEPS[what]}</span>
        {outcome !== undefined && <span> {outcome.replaceAll('_', ' ')}</span>}
        <span className="text-xs text-muted"> · {facts.filter((fact) => fact !== undefined).join(' · ')}</span>
        {reason !== undefined && <p className="break-words text-muted">{reason}</p>}
        {note !== undefined && <p className="break-words text-muted">Note: {note}</p>}
      </div>
      <div className="text-xs sm:text-right">
        <Badge tone={statusTone(status)}>{statusText(status)}</Badge>
      </div>
    </li>
  );
}

function untilOf({ until_ms: until, at_ms: at }: TimelineEntry): string {
  return until === undefined ? '' : ` in ${formatDuration(until - at)}`;
}

/** Joins equal steps in a row, such as polls between which only the progress has changed. */
function folded(timeline: readonly TimelineEntry[]): TimelineEntry[] {
  const steps: TimelineEntry[] = [];
  for (const entry of timeline) {
    const last = steps.at(-1);
    if (!last || !isSameStep(last, entry)) steps.push(entry);
    else {
      const count = (last.count ?? 1) + (entry.count ?? 1);
      steps[steps.length - 1] = { ...last, count, until_ms: entry.until_ms ?? entry.at_ms };
    }
  }
  return steps;
}

const COMPARED = [
  'what',
  'outcome',
  'status',
  'upstream',
  'credential',
  'attempt',
  'http_status',
  'code',
  'reason',
  'by',
] as const;

function isSameStep(one: TimelineEntry, other: TimelineEntry): boolean {
  return COMPARED.every((name) => one[name] === other[name]);
}
