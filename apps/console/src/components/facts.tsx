import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { CopyButton } from './copy-button.tsx';

export interface Fact {
  name: string;
  /** Facts without a value are omitted. */
  value: string | undefined;
  canCopy?: boolean;
  /** The screen of what the value names. */
  link?: Pick<LinkProps, 'to' | 'params' | 'search'> | undefined;
}

/** Names and values below each other. */
export function Facts({ facts }: { facts: readonly Fact[] }): ReactElement {
  const known = facts.flatMap(({ value, ...fact }) => (value === undefined ? [] : [{ ...fact, value }]));
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 p-4">
      {known.map(({ name, value, canCopy = false, link }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd
            className={`flex min-w-0 items-start gap-1 wrap-anywhere ${canCopy ? 'font-mono text-xs leading-5' : ''}`}
          >
            {link ? (
              <Link {...link} className="min-w-0 text-accent hover:underline">
                {value}
              </Link>
            ) : (
              <span className="min-w-0">{value}</span>
            )}
            {canCopy && <CopyButton text={value} what={`${name.toLowerCase()} id`} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
