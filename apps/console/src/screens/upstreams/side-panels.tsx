import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Upstream } from '../../api/upstreams.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Section } from '../../components/page-head.tsx';
import type { PeriodName } from '../../lib/periods.ts';
import { PoolPanel } from './pool-panel.tsx';
import { Slots } from './slots.tsx';
import { inTime } from './upstream-health.ts';

/** The settings of an upstream, its credentials, and links to what it served. */
export function SidePanels({ upstream, period }: { upstream: Upstream; period: PeriodName }): ReactElement {
  const { name, kind, base_url: url, headers, operations, credentials, pool, tasks } = upstream;
  const facts = [
    { name: 'Kind', value: kind },
    { name: 'Address', value: url },
    { name: 'Operations', value: operations.join(', ') || undefined },
    { name: 'Headers', value: headers.join(', ') || undefined },
  ];
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Section title="Upstream">
        <Facts facts={facts} />
      </Section>
      {pool ? <PoolPanel pool={pool} /> : <Credentials credentials={credentials} pausedMs={tasks?.paused_ms} />}
      {tasks && <Tasks tasks={tasks} />}
      <Section title="More">
        <ul className="flex flex-col gap-2 p-4">
          <li>
            <Link to="/requests" search={{ period, upstream: name }} className="text-accent hover:underline">
              Requests of this upstream
            </Link>
          </li>
          <li>
            <Link to="/usage" search={{ period, upstream: name }} className="text-accent hover:underline">
              Usage of this upstream
            </Link>
          </li>
          <li>
            <Link to="/configuration" search={{ find: `upstreams.${name}.` }} className="text-accent hover:underline">
              Configuration of this upstream
            </Link>
          </li>
        </ul>
      </Section>
    </div>
  );
}

/** @param pausedMs how long the vendor accepts no tasks of the account of these credentials */
function Credentials({
  credentials,
  pausedMs,
}: Pick<Upstream, 'credentials'> & { pausedMs: number | undefined }): ReactElement {
  return (
    <Section title="Credentials" aside="Values are never shown">
      {credentials.length === 0 ? (
        <p className="p-4 text-muted">None. Sluice sends no key to this upstream.</p>
      ) : (
        <ul className="divide-y divide-line">
          {credentials.map((credential) => (
            <li key={credential} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 py-2.5">
              <KeyRound aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 font-mono text-xs break-all">{credential}</span>
              <span className="ml-auto text-xs">
                {pausedMs === undefined ? (
                  <Badge tone="ok">Ready</Badge>
                ) : (
                  <Badge tone="warn">Rests, next task {inTime(pausedMs)}</Badge>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Tasks({ tasks }: { tasks: NonNullable<Upstream['tasks']> }): ReactElement {
  const { in_flight: inFlight, submitting, paused_ms: pausedMs } = tasks;
  return (
    <Section title="Tasks" aside="Videos and images">
      <div className="flex flex-col gap-3 p-4">
        {pausedMs !== undefined && (
          <p className="text-warn">The upstream is busy. Sluice submits the next task {inTime(pausedMs)}.</p>
        )}
        <Slots title="Running" slots={inFlight} />
        <Slots title="Submitting" slots={submitting} />
      </div>
    </Section>
  );
}
