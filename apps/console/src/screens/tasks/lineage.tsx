import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type TaskDetails, tasksQuery } from '../../api/tasks.ts';
import { Section } from '../../components/page-head.tsx';
import { formatTime } from '../../lib/format.ts';

const MAX_REMIXES = 10;

/** The original of a remix, and the remixes of a video. */
export function Lineage({ task }: { task: TaskDetails }): ReactElement | null {
  const { data } = useQuery({
    ...tasksQuery({ remixed_from: task.id, limit: MAX_REMIXES }),
    enabled: task.kind === 'video' && task.status === 'completed',
  });
  const remixes = data?.data ?? [];
  if (task.remixed_from === undefined && remixes.length === 0) return null;
  return (
    <Section title="Lineage">
      <ul className="divide-y divide-line">
        {task.remixed_from !== undefined && <Relative id={task.remixed_from} what="Remix of" />}
        {remixes.map(({ id, created_at: at }) => (
          <Relative key={id} id={id} what={`Remix, ${formatTime(at * 1_000)}`} />
        ))}
      </ul>
    </Section>
  );
}

function Relative({ id, what }: { id: string; what: string }): ReactElement {
  return (
    <li className="px-4 py-2.5">
      <div className="text-xs text-muted">{what}</div>
      <Link to="/tasks/$id" params={{ id }} className="font-mono text-xs break-all text-accent hover:underline">
        {id}
      </Link>
    </li>
  );
}
