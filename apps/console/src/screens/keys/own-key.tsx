import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { type OwnKey, ownKeyQuery, ownModelsQuery } from '../../api/keys.ts';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead, Section } from '../../components/page-head.tsx';
import { formatCount, formatLongDate } from '../../lib/format.ts';
import { BudgetMeter } from './budget-meter.tsx';
import { KeyStatus } from './key-columns.tsx';
import { LIMITS } from './key-settings.ts';

/** The own key of its holder, and the models that it can call. */
export function OwnKeyPage(): ReactElement {
  const { data, error, refetch } = useQuery(ownKeyQuery);
  const models = useQuery(ownModelsQuery);
  return (
    <>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3 break-all">
            {data ? data.name : 'Key'}{' '}
            {data && (
              <span className="text-sm">
                <KeyStatus status={data.status} />
              </span>
            )}
          </span>
        }
      />
      <div className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-64" />}
        {data && (
          <Section title="Settings" aside="Only the operator can change them">
            <KeySettingsView shown={data} />
          </Section>
        )}
        <Section title="Models" aside={models.data && formatCount(models.data.length)}>
          {models.error && <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />}
          {models.data?.length === 0 && <p className="p-4 text-muted">This key can call no model. Ask the operator.</p>}
          <ul className="flex flex-wrap gap-2 p-4">
            {models.data?.map((id) => (
              <li
                key={id}
                className="rounded-md border border-line bg-raised px-2 py-0.5 font-mono text-xs leading-5 break-all"
              >
                {id}
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}

/** The settings of a key, without what only operators may know. */
export function KeySettingsView({ shown }: { shown: Omit<OwnKey, 'object'> }): ReactElement {
  const { budget, spending, limits = {}, models, labels = {}, expires_at: expires } = shown;
  return (
    <dl className="grid gap-x-6 gap-y-4 p-4 sm:grid-cols-2">
      <Setting name="Budget">
        {budget ? <BudgetMeter budget={budget} spending={spending} /> : 'No budget: the cost is not limited'}
        {spending?.resets_at !== undefined && (
          <span className="mt-1 block text-xs text-muted">
            Resets on {formatLongDate(spending.resets_at * 1_000)} (UTC)
          </span>
        )}
      </Setting>
      <Setting name="Limits">
        <ul>
          {Object.entries(LIMITS).map(([limit, title]) => {
            // The cast is safe because limits are numbers.
            const value = Reflect.get(limits, limit) as number | undefined;
            return (
              <li key={limit} className="flex max-w-64 justify-between gap-4">
                <span className="text-muted">{title}</span>
                <span className="tabular-nums">{value === undefined ? 'no limit' : formatCount(value)}</span>
              </li>
            );
          })}
        </ul>
      </Setting>
      <Setting name="Models">{models?.join(', ') ?? 'All models'}</Setting>
      <Setting name="Expires">{expires === undefined ? 'Never' : formatLongDate(expires * 1_000)}</Setting>
      <Setting name="Labels">
        {Object.entries(labels)
          .map(([name, value]) => `${name}=${value}`)
          .join(', ') || 'None'}
      </Setting>
      <Setting name="Lost fields">
        {shown.strict ? 'Requests that would lose a field are refused' : 'Dropped, and reported in headers'}
      </Setting>
    </dl>
  );
}

function Setting({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-xs text-muted">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
