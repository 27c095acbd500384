import { Link } from '@tanstack/react-router';
import { GitFork } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { fileUrl, type Task } from '../../api/tasks.ts';
import { formatTime } from '../../lib/format.ts';
import { useVisible } from '../../lib/use-visible.ts';
import { costOf } from '../tasks/task-columns.tsx';

/** A finished video or its images, with the prompt, model, cost, and lineage. */
export function MediaCard({ task, showsKey }: { task: Task; showsKey: boolean }): ReactElement {
  const { id, prompt, model, key, created_at: at, kind, remixed_from: original } = task;
  const [ref, isVisible] = useVisible<HTMLLIElement>();
  return (
    <li ref={ref} className="panel flex min-w-0 flex-col overflow-hidden">
      <div className="aspect-video bg-raised">{isVisible && <Media task={task} />}</div>
      <div className="flex flex-1 flex-col gap-2 p-3.5">
        <p className="line-clamp-3 break-words" title={prompt}>
          {prompt ?? 'No prompt'}
        </p>
        <p className="mt-auto truncate text-xs text-muted">
          {model} · {costOf(task)}
          {showsKey && ` · ${key}`}
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
          <Link to="/tasks/$id" params={{ id }} className="text-accent hover:underline">
            <time dateTime={new Date(at * 1_000).toISOString()}>{formatTime(at * 1_000)}</time>
          </Link>
          {original !== undefined && (
            <Link
              to="/tasks/$id"
              params={{ id: original }}
              className="inline-flex items-center gap-1 text-accent hover:underline"
            >
              <GitFork aria-hidden className="size-3.5" /> Original
            </Link>
          )}
          {kind === 'video' && (
            <Link to="/gallery" search={{ remixed_from: id }} className="text-accent hover:underline">
              Remixes
            </Link>
          )}
        </div>
      </div>
    </li>
  );
}

function Media({ task: { id, kind, files, prompt } }: { task: Task }): ReactElement {
  const [hasFailed, setFailed] = useState(false);
  const [first] = files;
  if (!first || hasFailed) {
    return <p className="flex h-full items-center justify-center p-4 text-muted">The file cannot be shown.</p>;
  }
  const fail = (): void => setFailed(true);
  if (kind === 'video') {
    return (
      // Generated videos have no captions.
      <video
        controls
        preload="metadata"
        src={fileUrl(id, first.index)}
        aria-label={prompt ?? 'Video'}
        className="size-full object-contain"
        onError={fail}
      >
        <track kind="captions" />
      </video>
    );
  }
  return (
    <div className={`grid size-full gap-0.5 ${files.length > 1 ? 'grid-cols-2' : ''}`}>
      {files.slice(0, 4).map(({ index }) => (
        <img
          key={index}
          src={fileUrl(id, index)}
          alt={prompt ?? 'Image'}
          className="size-full min-h-0 object-cover"
          onError={fail}
        />
      ))}
    </div>
  );
}
