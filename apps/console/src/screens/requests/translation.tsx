import type { ReactElement } from 'react';
import type { LedgerEntry } from '../../api/requests.ts';
import { Section } from '../../components/page-head.tsx';

/** How the request was sent to the upstream, and the fields that it did not receive. */
export function Translation({ entry }: { entry: LedgerEntry }): ReactElement | null {
  const { relayed, dropped = [], protocol } = entry;
  if (relayed === undefined && dropped.length === 0) return null;
  return (
    <Section title="Translation" aside={relayed === true ? 'relayed unchanged' : `from ${protocol ?? 'the client'}`}>
      <div className="flex flex-col gap-3 p-4">
        {dropped.length === 0 ? (
          <p className="text-muted">
            {relayed === true
              ? 'Client and upstream have the same protocol, so nothing was translated.'
              : 'The upstream received every field of the request.'}
          </p>
        ) : (
          <>
            <p>
              {dropped.length === 1
                ? 'The upstream did not receive this field as sent. It was clamped, replaced, or dropped.'
                : `The upstream did not receive these ${dropped.length} fields as sent. Each was clamped, replaced, or dropped.`}
            </p>
            <ul className="flex flex-wrap gap-1.5" aria-label="Fields">
              {dropped.map((name) => (
                <li key={name} className="rounded bg-raised px-2 py-0.5 font-mono text-xs break-all">
                  {name}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  );
}
