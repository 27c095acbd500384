import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { type Configuration, configurationQuery } from '../../api/configuration.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { OperatorsOnly } from '../../components/operators-only.tsx';
import { PageHead, Section } from '../../components/page-head.tsx';
import { type ConfigLine, linesOf, nameOf, settingsOf, yamlOf } from './config-lines.ts';
import type { ConfigurationSearch } from './configuration-params.ts';
import { FileState } from './file-state.tsx';

const REFRESH_MS = 5_000;
const MAX_LINES = 200;
const route = getRouteApi('/configuration');

/** The configuration as Sluice understood it, and how its file differs. */
export function ConfigurationScreen(): ReactElement {
  return (
    <OperatorsOnly title="Configuration">
      <ComparedConfiguration />
    </OperatorsOnly>
  );
}

function ComparedConfiguration(): ReactElement {
  const { data, error, refetch } = useQuery({ ...configurationQuery, refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHead title="Configuration" />
      <div className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-64" />}
        {data && <FileState configuration={data} />}
        {data && <Running running={settingsOf(data.running)} />}
      </div>
    </>
  );
}

function Running({ running }: Pick<Configuration, 'running'>): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { section, find } = search;
  const sections = Object.entries(running);
  const shown = sections.filter(([name]) => section === undefined || name === section);
  return (
    <>
      <h2 className="mt-2 text-base font-semibold">Running configuration</h2>
      <FilterBar
        fields={[
          { name: 'find', label: 'Find', placeholder: 'Field or value' },
          { name: 'section', label: 'Section', options: sections.map(([name]) => name) },
        ]}
        filters={search}
        // The cast is safe because the fields of the filter bar are parameters of this screen.
        onChange={(filters, { replace }) => void navigate({ search: filters as ConfigurationSearch, replace })}
      />
      {shown.length === 0 && (
        <EmptyState title="There is no such section">
          <p>Remove the filter.</p>
        </EmptyState>
      )}
      {shown.length > 0 && find === undefined && (
        <div className="panel divide-y divide-line">
          {shown.map(([name, value]) => (
            <ConfigSection key={name} name={name} value={value} isOnly={shown.length === 1} />
          ))}
        </div>
      )}
      {shown.length > 0 && find !== undefined && <FoundLines lines={linesOf(Object.fromEntries(shown))} find={find} />}
    </>
  );
}

function ConfigSection({ name, value, isOnly }: { name: string; value: unknown; isOnly: boolean }): ReactElement {
  return (
    <details open={isOnly}>
      <summary className="grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)] items-center gap-x-2 px-4 py-2.5 hover:bg-raised sm:grid-cols-[1rem_10rem_minmax(0,1fr)]">
        <ChevronRight aria-hidden className="size-4 transition-transform in-open:rotate-90 text-muted" />
        <h3 className="font-semibold">{name}</h3>
        <span className="min-w-0 truncate text-muted max-sm:col-start-2 max-sm:text-xs">{summaryOf(value)}</span>
      </summary>
      <div className="px-4 pb-4">
        <CodeBlock code={yamlOf({ [name]: value })} what={`${name} as YAML`} />
      </div>
    </details>
  );
}

const COLUMNS: readonly Column<ConfigLine>[] = [
  { title: 'Field', cell: ({ path }) => <span className="font-mono text-xs whitespace-normal break-all">{path}</span> },
  {
    title: 'Value',
    cell: ({ value }) => <span className="font-mono text-xs whitespace-normal break-all">{value}</span>,
  },
];

function FoundLines({ lines, find }: { lines: readonly ConfigLine[]; find: string }): ReactElement {
  const text = find.toLowerCase();
  const found = lines.filter(({ path, value }) => `${path}: ${value}`.toLowerCase().includes(text));
  return (
    <Section
      title="Fields"
      aside={found.length > MAX_LINES ? `The first ${MAX_LINES} of ${found.length}` : `${found.length} found`}
    >
      {found.length === 0 ? (
        <EmptyState title="No field matches">
          <p>Find a part of a field’s name or value, such as “timeouts” or “gpt”.</p>
        </EmptyState>
      ) : (
        <DataTable
          caption="Fields that were found"
          columns={COLUMNS}
          rows={found.slice(0, MAX_LINES)}
          idOf={({ path }) => path}
        />
      )}
    </Section>
  );
}

/** Returns the names of the fields or entries, or the value itself. */
function summaryOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const names = Array.isArray(value) ? value.map((one: unknown) => nameOf(one) ?? String(one)) : Object.keys(value);
  return names.length === 0 ? 'none' : names.join(', ');
}
