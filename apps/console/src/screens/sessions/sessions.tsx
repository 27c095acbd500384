import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { endSession, type ListedSession, sessionsQuery } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useToast } from '../../components/toasts.tsx';
import { browserName } from '../../lib/browser-name.ts';
import { formatTime } from '../../lib/format.ts';

/** The sessions that the user may end: the own ones, or all with the role `admin`. */
export function Sessions(): ReactElement {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [selected, setSelected] = useState<ListedSession>();
  return (
    <>
      <PageHead title="Sessions" />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!(error && !data) && (
        <div className="panel overflow-hidden">
          <DataTable caption="Sessions" columns={columnsOf(setSelected)} rows={data?.data} idOf={({ id }) => id} />
        </div>
      )}
      <EndDialog session={selected} onClose={() => setSelected(undefined)} />
    </>
  );
}

function EndDialog({ session, onClose }: { session: ListedSession | undefined; onClose: () => void }): ReactElement {
  const client = useQueryClient();
  const toast = useToast();
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: () => toast({ kind: 'success', title: 'Session ended' }),
    onError: (error) => toast({ kind: 'error', title: 'Could not end the session', error }),
    onSettled: () => {
      onClose();
      return client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title="End this session?"
      action="End session"
      isOpen={session !== undefined}
      isPending={ending.isPending}
      onConfirm={() => session && ending.mutate(session.id)}
      onClose={onClose}
    >
      <p>
        The browser that signed in as <strong>{session?.name}</strong> must sign in again. To keep its user out, also
        rotate the key, or remove the user from its groups at the sign-in provider.
      </p>
    </ConfirmDialog>
  );
}

function columnsOf(onEnd: (session: ListedSession) => void): Column<ListedSession>[] {
  return [
    {
      title: 'User',
      cell: ({ name, is_current: isCurrent }) => (
        <>
          <div className="max-w-56 truncate max-sm:max-w-32" title={name}>
            {name}
          </div>
          {isCurrent && <div className="text-xs text-muted">this browser</div>}
        </>
      ),
    },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Signed in', cell: ({ created_at: at }) => formatTime(at * 1_000), isMinor: true },
    { title: 'Expires', cell: ({ expires_at: at }) => formatTime(at * 1_000), isMinor: true },
    {
      title: 'Browser',
      cell: ({ user_agent: agent }) => (
        <div className="max-w-72 truncate" title={agent}>
          {browserName(agent)}
        </div>
      ),
      isMinor: true,
    },
    {
      title: 'Action',
      cell: (session) => (
        <button type="button" className="button" disabled={session.is_current} onClick={() => onEnd(session)}>
          End
        </button>
      ),
      align: 'end',
    },
  ];
}
