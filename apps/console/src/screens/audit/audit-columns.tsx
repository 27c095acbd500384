import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { AuditEntry } from '../../api/audit.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { formatClock, formatDate } from '../../lib/format.ts';
import { AuditTarget } from './audit-target.tsx';

const LINK = 'text-accent hover:underline';

const CREDENTIALS: Readonly<Record<AuditEntry['actor']['type'], string>> = {
  admin_key: 'admin key',
  api_key: 'API key',
  oidc: 'single sign-on',
  system: 'reload of the configuration',
};

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: 'Time',
    cell: ({ created_at: at }) => (
      <>
        <time dateTime={new Date(at * 1_000).toISOString()}>{formatClock(at * 1_000)}</time>
        <div className="text-xs text-muted">{formatDate(at * 1_000)}</div>
      </>
    ),
  },
  { title: 'Result', cell: ({ status }) => <Badge tone={toneOf(status)}>{status ?? 'applied'}</Badge> },
  { title: 'Actor', cell: (entry) => <Actor entry={entry} /> },
  { title: 'Operation', cell: (entry) => <Operation entry={entry} /> },
  { title: 'Target', cell: (entry) => <AuditTarget entry={entry} />, isMinor: true },
  {
    title: 'Request',
    cell: ({ request_id: id }) => <div className="max-w-44 truncate font-mono text-xs text-muted">{id}</div>,
    isMinor: true,
  },
];

/** The name filters by the person: an e-mail address can change, and the subject cannot. */
function Actor({ entry: { actor, role } }: { entry: AuditEntry }): ReactElement {
  const filter = actor.subject ?? actor.name;
  return (
    <>
      <div className="max-w-56 truncate max-sm:max-w-20">
        <Link
          to="/audit"
          search={({ after: _after, ...now }) => ({ ...now, actor: filter })}
          className={LINK}
          title={actor.subject}
        >
          {actor.name}
        </Link>
      </div>
      <div className="text-xs text-muted max-sm:hidden">
        {CREDENTIALS[actor.type]}
        {role !== 'holder' && actor.type !== 'system' && `, ${role ?? 'no role'}`}
      </div>
    </>
  );
}

function Operation({ entry }: { entry: AuditEntry }): ReactElement {
  const { operation, method, path = reloadText(entry) } = entry;
  return (
    <>
      <div className="max-w-72 truncate max-sm:max-w-28">
        <Link to="/audit" search={({ after: _after, ...now }) => ({ ...now, operation })} className={LINK}>
          {operation}
        </Link>
      </div>
      <div className="max-w-72 truncate text-xs text-muted max-sm:hidden" title={path}>
        {method} {path}
      </div>
      {entry.target !== undefined && (
        <div className="max-w-28 truncate text-xs md:hidden">
          <AuditTarget entry={entry} />
        </div>
      )}
    </>
  );
}

/** The changed fields of a reload. */
function reloadText({ reload }: AuditEntry): string {
  return (reload?.changes ?? []).map(({ path }) => path).join(', ');
}

function toneOf(status = 200): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'ok';
}
