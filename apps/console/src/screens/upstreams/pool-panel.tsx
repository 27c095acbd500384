import { KeyRound } from 'lucide-react';
import type { ReactElement } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCost, formatCount } from '../../lib/format.ts';
import { credentialState, type PoolCredential } from './credential-state.ts';
import { Slots } from './slots.tsx';

/** The credentials of a pool: whether each gets requests, its calls and tasks in flight, and its limits. */
export function PoolPanel({ pool }: { pool: readonly PoolCredential[] }): ReactElement {
  return (
    <Section title="Credentials" aside="Values are never shown">
      <ul className="divide-y divide-line">
        {pool.map((credential) => (
          <li key={credential.name} className="flex flex-col gap-2 px-4 py-2.5">
            <Member credential={credential} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Member({ credential }: { credential: PoolCredential }): ReactElement {
  const { name, weight, in_flight: inFlight, limits, budget, tasks } = credential;
  const { tone, text, detail } = credentialState(credential);
  const perMinute = [
    limits.rpm && `${formatCount(limits.rpm.limit)} calls/min`,
    limits.tpm && `${formatCount(limits.tpm.limit)} tokens/min`,
  ].filter((limit) => limit !== undefined);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <KeyRound aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 font-mono text-xs break-all">{name}</span>
        {weight > 1 && <span className="text-xs text-muted">weight {formatCount(weight)}</span>}
        <span className="ml-auto text-xs">
          <Badge tone={tone}>{text}</Badge>
        </span>
      </div>
      {detail !== undefined && <p className="text-xs text-muted">{detail}.</p>}
      <div className="flex flex-col gap-2 text-xs">
        <Slots title="Calls in flight" slots={{ used: inFlight, max: limits.max_in_flight?.limit }} />
        {perMinute.length > 0 && (
          <div className="flex justify-between gap-4 tabular-nums">
            <span className="text-muted">Limits</span>
            <span>{perMinute.join(', ')}</span>
          </div>
        )}
        {budget && (
          <Slots
            title={budget.period === 'total' ? 'Budget' : `Budget of the ${budget.period}`}
            slots={{ used: budget.spent_usd, max: budget.usd }}
            format={formatCost}
          />
        )}
        {tasks && <Slots title="Tasks" slots={tasks.in_flight} />}
      </div>
    </>
  );
}
