import type { ReactElement } from 'react';
import type { Circuit, Upstream } from '../../api/upstreams.ts';
import { CircuitBadge } from '../../components/circuit-badge.tsx';
import { Section } from '../../components/page-head.tsx';
import { inTime } from './upstream-health.ts';

/** The circuit breaker of each operation. */
export function CircuitPanel({ upstream: { circuits, models } }: { upstream: Upstream }): ReactElement {
  return (
    <Section title="Circuit breakers" aside="One for each operation">
      {circuits.length === 0 ? (
        <p className="p-4 text-muted">
          {models.length === 0 ? (
            <>
              No model has a route to this upstream. Add one to <code>models</code> in the configuration.
            </>
          ) : (
            'Its models only create tasks. A busy upstream pauses them; see “Tasks”.'
          )}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {circuits.map((circuit) => (
            <li
              key={circuit.operation}
              className="grid grid-cols-[8rem_minmax(0,1fr)] items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[8rem_6rem_minmax(0,1fr)]"
            >
              <span className="font-medium">{circuit.operation}</span>
              <CircuitBadge state={circuit.state} />
              <span className="text-muted max-sm:col-span-2">{explanationOf(circuit)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function explanationOf({ state, retry_after_ms: ms = 0 }: Circuit): string {
  switch (state) {
    case 'closed':
      return 'Requests are sent.';
    case 'half-open':
      return 'One request tests whether the upstream works again.';
    case 'open':
      return `Too many requests failed. The next one is sent ${inTime(ms)}. Until then, models use their other routes.`;
  }
}
