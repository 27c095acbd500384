import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { AuditEntry } from '../../api/audit.ts';

const LINK = 'text-accent hover:underline';

/** The changed object, with a link to its screen. */
export function AuditTarget({ entry: { target, path = '' } }: { entry: AuditEntry }): ReactElement {
  if (target === undefined) return <span className="text-muted">–</span>;
  return (
    <div className="max-w-56 truncate" title={target}>
      <TargetLink id={target} path={path} />
    </div>
  );
}

function TargetLink({ id, path }: { id: string; path: string }): ReactElement {
  if (/^\/admin\/v1\/keys\b/.test(path)) {
    return (
      <Link to="/keys/$id" params={{ id }} className={LINK}>
        {id}
      </Link>
    );
  }
  if (path.startsWith('/admin/v1/tasks/')) {
    return (
      <Link to="/tasks/$id" params={{ id }} className={LINK}>
        {id}
      </Link>
    );
  }
  if (path.startsWith('/admin/v1/batches/')) {
    return (
      <Link to="/batches/$id" params={{ id }} className={LINK}>
        {id}
      </Link>
    );
  }
  if (path.startsWith('/admin/v1/groups/')) {
    return (
      <Link to="/groups/$id" params={{ id }} className={LINK}>
        {id}
      </Link>
    );
  }
  if (path.startsWith('/admin/v1/upstreams/')) {
    return (
      <Link to="/upstreams/$name" params={{ name: id }} className={LINK}>
        {id}
      </Link>
    );
  }
  const webhooks = /^\/(?:admin\/)?v1\/webhooks(\/deliveries\/)?/.exec(path);
  if (webhooks) {
    const search = webhooks[1] === undefined ? { webhook: id } : { delivery: id };
    return (
      <Link to="/webhooks" search={search} className={LINK}>
        {id}
      </Link>
    );
  }
  return <>{id}</>;
}
