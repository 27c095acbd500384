import type { ReactElement } from 'react';
import type { LedgerEntry } from '../../api/requests.ts';
import { Section } from '../../components/page-head.tsx';
import { type Span, Waterfall } from '../../components/waterfall.tsx';

/** Upstream calls below each other. A fallback starts when the attempt before it has ended. */
export function Attempts({ entry }: { entry: LedgerEntry }): ReactElement {
  const spans = entry.type === 'task' ? taskSpans(entry) : attemptSpans(entry);
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

/** An entry lists its attempts only if there were several, or if the only one failed. */
function attemptSpans(entry: LedgerEntry): Span[] {
  const { upstream: served, upstream_model: servedModel, duration_ms: durationMs } = entry;
  const only =
    served === undefined ? [] : [{ upstream: served, upstream_model: servedModel, result: 'served', ms: durationMs }];
  const attempts = entry.attempts ?? only;
  let startMs = 0;
  return attempts.map(({ upstream, upstream_model: model, result, ms = 0 }, at) => {
    const span: Span = {
      id: String(at),
      label: upstream,
      detail: [model, result].filter((part) => part !== undefined).join(' · '),
      startMs,
      durationMs: ms,
      tone: result === 'served' ? 'ok' : 'bad',
    };
    startMs += ms;
    return span;
  });
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
