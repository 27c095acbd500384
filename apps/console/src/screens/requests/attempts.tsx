import type { ReactElement } from 'react';
import type { LedgerEntry } from '../../api/requests.ts';
import { Section } from '../../components/page-head.tsx';
import { type Span, Waterfall } from '../../components/waterfall.tsx';
import { accountText } from '../../lib/account-text.ts';

/** Upstream calls below each other. A fallback starts when the attempt before it has ended. */
export function Attempts({ entry }: { entry: LedgerEntry }): ReactElement {
  const spans = entry.type === 'task' ? taskSpans(entry) : requestSpans(entry);
  return (
    <Section title={entry.type === 'task' ? 'Timeline' : 'Attempts'} aside={entry.upstream}>
      {spans.length === 0 ? (
        <p className="p-4 text-muted">No upstream was called.</p>
      ) : (
        <Waterfall
          spans={spans}
          totalMs={Math.max(entry.duration_ms, ...spans.map((span) => span.startMs + span.durationMs))}
        />
      )}
    </Section>
  );
}

const NOT_CALLED: ReadonlySet<string> = new Set([
  'circuit_open',
  'no_credential',
  'retry_budget',
  'hedged',
  'unsupported',
]);

/** The wait before the first call, each attempt until its first event or its error, and the rest of the response. */
function requestSpans(entry: LedgerEntry): Span[] {
  const { queue_ms: queueMs = 0, first_event_ms: firstMs, duration_ms: durationMs } = entry;
  const attempts = attemptsOf(entry);
  if (attempts.length === 0) return [];
  let startMs = queueMs;
  const calls = attempts.map(({ upstream, credential, upstream_model: model, result, ms = 0 }, at): Span => {
    const detail = [model, result === 'served' ? 'first event' : result].filter((part) => part !== undefined);
    const span: Span = {
      id: String(at),
      label: accountText({ upstream, credential }),
      detail: detail.join(' · '),
      startMs,
      durationMs: ms,
      tone: result === 'served' ? 'accent' : NOT_CALLED.has(result) ? 'neutral' : 'bad',
    };
    startMs += ms;
    return span;
  });
  const queue: Span = {
    id: 'queue',
    label: 'Before the first call',
    detail: 'checks and limits of the gateway',
    startMs: 0,
    durationMs: queueMs,
    tone: 'neutral',
  };
  const isServed = attempts.at(-1)?.result === 'served';
  const response: Span = {
    id: 'response',
    label: 'Response',
    detail: 'first event to end',
    startMs: firstMs ?? startMs,
    durationMs: durationMs - (firstMs ?? startMs),
    tone: entry.error_code === undefined ? 'ok' : 'bad',
  };
  return [
    ...(entry.queue_ms === undefined ? [] : [queue]),
    ...calls,
    ...(isServed && response.durationMs > 0 ? [response] : []),
  ];
}

/** An entry lists its attempts only if there were several, or if the only one failed. */
function attemptsOf(entry: LedgerEntry): NonNullable<LedgerEntry['attempts']> {
  const {
    attempts,
    upstream,
    credential,
    upstream_model: model,
    first_event_ms: firstMs,
    duration_ms: durationMs,
  } = entry;
  if (attempts) return attempts;
  if (upstream === undefined) return [];
  const ms = Math.max(0, (firstMs ?? durationMs) - (entry.queue_ms ?? 0));
  return [{ upstream, credential, upstream_model: model, result: 'served', ms }];
}

function taskSpans({ queue_ms: queueMs = 0, run_ms: runMs = 0, status }: LedgerEntry): Span[] {
  return [
    { id: 'queue', label: 'Queued', startMs: 0, durationMs: queueMs, tone: 'neutral' },
    {
      id: 'run',
      label: 'At the upstream',
      startMs: queueMs,
      durationMs: runMs,
      tone: status === 'completed' ? 'ok' : 'bad',
    },
  ];
}
