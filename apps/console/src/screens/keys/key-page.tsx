import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactElement } from 'react';
import { type Key, keyQuery } from '../../api/keys.ts';
import { useSession } from '../../app/use-session.ts';
import { Facts } from '../../components/facts.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { OperatorsOnly } from '../../components/operators-only.tsx';
import { PageHead, PlainHead, Section } from '../../components/page-head.tsx';
import { formatLongDate, formatTime } from '../../lib/format.ts';
import { KeyActions } from './key-actions.tsx';
import { KeyStatus } from './key-columns.tsx';
import { KeySettingsView } from './own-key.tsx';

const route = getRouteApi('/keys/$id');

/** One key with its settings and budget, and the actions on it. */
export function KeyPage(): ReactElement {
  return (
    <OperatorsOnly title="Key">
      <AnyKey />
    </OperatorsOnly>
  );
}

function AnyKey(): ReactElement {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(keyQuery(id));
  return (
    <>
      <Link to="/keys" className="mb-3 inline-flex items-center gap-1.5 text-muted hover:text-text">
        <ArrowLeft aria-hidden className="size-4" /> Keys
      </Link>
      {!data && <PlainHead title={id} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64" />}
      {data && <ShownKey shown={data} />}
    </>
  );
}

function ShownKey({ shown }: { shown: Key }): ReactElement {
  const mayChange = useSession().role === 'admin';
  return (
    <>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3 break-all">
            {shown.name}{' '}
            <span className="text-sm">
              <KeyStatus status={shown.status} />
            </span>
          </span>
        }
      >
        {mayChange && shown.id !== undefined && <KeyActions shown={shown} id={shown.id} />}
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {noticeOf(shown) !== undefined && <p className="panel p-4 text-warn">{noticeOf(shown)}</p>}
          <Section title="What its holder sees" aside="GET /v1/key">
            <KeySettingsView shown={shown} />
          </Section>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Section title="Key">
            <Facts facts={factsOf(shown)} />
          </Section>
          <FormerSecrets shown={shown} />
          <Section title="More">
            <ul className="flex flex-col gap-2 p-4">
              <li>
                <Link to="/usage" search={{ key: shown.name, period: '30d' }} className="text-accent hover:underline">
                  Usage of this key
                </Link>
              </li>
              <li>
                <Link to="/requests" search={{ key: shown.name }} className="text-accent hover:underline">
                  Requests of this key
                </Link>
              </li>
            </ul>
          </Section>
        </div>
      </div>
    </>
  );
}

function noticeOf({ source, status, unknown_models: unknown }: Key): string | undefined {
  if (source === 'configuration') return 'This key is in the configuration file. Change it there.';
  if (status === 'shadowed')
    return 'A configured key has the same name, so Sluice rejects this key. Rename the configured key.';
  if (unknown) return `These models are not in the configuration: ${unknown.join(', ')}.`;
  return undefined;
}

function factsOf({ id, last4, source, created_at: created, expires_at: expires, revoked_at: revoked }: Key) {
  return [
    { name: 'Id', value: id, canCopy: true },
    { name: 'Secret', value: last4 === undefined ? undefined : `…${last4}` },
    { name: 'Source', value: source === 'store' ? 'created at run time' : 'configuration file' },
    { name: 'Created', value: created === undefined ? undefined : formatLongDate(created * 1_000) },
    { name: 'Expires', value: expires === undefined ? 'never' : formatLongDate(expires * 1_000) },
    { name: 'Revoked', value: revoked === undefined ? undefined : formatTime(revoked * 1_000) },
  ];
}

function FormerSecrets({ shown: { former_secrets: former = [] } }: { shown: Key }): ReactElement | null {
  if (former.length === 0) return null;
  return (
    <Section title="Former secrets" aside="still valid">
      <ul className="flex flex-col gap-2 p-4">
        {former.map(({ last4, ends_at: at }) => (
          <li key={`${last4}${at}`} className="flex justify-between gap-4">
            <span className="font-mono text-xs leading-5">…{last4}</span>
            <span className="text-muted">until {formatTime(at * 1_000)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
