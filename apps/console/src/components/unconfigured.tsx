import type { ReactElement, ReactNode } from 'react';
import { EmptyState } from './notices.tsx';
import { Section } from './page-head.tsx';

export interface NoneConfiguredProps {
  noun: 'model' | 'upstream';
  isFiltered: boolean;
}

/** Says why a list of configured models or upstreams is empty, and what to do. */
export function NoneConfigured({ noun, isFiltered }: NoneConfiguredProps): ReactElement {
  return isFiltered ? (
    <EmptyState title={`No ${noun} matches these filters`}>
      <p>Remove a filter.</p>
    </EmptyState>
  ) : (
    <EmptyState title={`No ${noun} is configured`}>
      <p>
        Add one to <code>{noun}s</code> in the configuration, or set the environment variable of a vendor's key.
      </p>
    </EmptyState>
  );
}

export interface DisabledListProps {
  title: string;
  aside: ReactNode;
  /** `variables`: environment variables, of which one must be set. */
  items: readonly { name: string; variables: readonly string[] }[];
}

/** Configured models or upstreams that wait for a credential. */
export function DisabledList({ title, aside, items }: DisabledListProps): ReactElement {
  return (
    <Section title={title} aside={aside}>
      <ul className="divide-y divide-line">
        {items.map(({ name, variables }) => (
          <li key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
            <span className="min-w-0 font-medium break-all">{name}</span>
            <span className="text-muted">
              Set <code className="font-mono text-xs text-text">{variables.join(' or ')}</code>, and restart Sluice.
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
