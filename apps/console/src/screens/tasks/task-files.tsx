import { Download } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { fileUrl, type TaskDetails } from '../../api/tasks.ts';
import { Section } from '../../components/page-head.tsx';
import { formatBytes } from '../../lib/format.ts';
import { isEnded } from './task-status.tsx';

type File = TaskDetails['files'][number];

/** Plays the video or shows the images. The browser loads only what it plays. */
export function TaskFiles({ task }: { task: TaskDetails }): ReactElement {
  const { files, kind, status, progress } = task;
  if (files.length === 0) {
    return (
      <Section title={kind === 'video' ? 'Video' : 'Images'}>
        <div className="flex flex-col items-center gap-3 px-4 py-10 text-muted">
          <p>{isEnded(status) ? 'There are no files.' : 'The files appear here when the task is completed.'}</p>
          {!isEnded(status) && (
            <progress
              className="h-2 w-full max-w-60 accent-accent"
              aria-label="Progress"
              max={100}
              {...(progress > 0 && { value: progress })}
            />
          )}
        </div>
      </Section>
    );
  }
  return (
    <Section title={kind === 'video' ? 'Video' : 'Images'}>
      <ul className={`grid gap-4 p-4 ${files.length > 1 ? 'sm:grid-cols-2' : ''}`}>
        {files.map((file) => (
          <li key={file.index} className="flex min-w-0 flex-col gap-2">
            <MediaPreview taskId={task.id} kind={kind} file={file} />
            <FileLine taskId={task.id} file={file} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface PreviewProps {
  taskId: string;
  kind: TaskDetails['kind'];
  file: File;
}

function MediaPreview({ taskId, kind, file }: PreviewProps): ReactElement {
  const [hasFailed, setFailed] = useState(false);
  const url = fileUrl(taskId, file.index);
  const className = 'max-h-[28rem] w-full rounded-md bg-raised object-contain';
  if (hasFailed) {
    return (
      <p className="rounded-md bg-raised px-4 py-8 text-center text-muted">
        The browser cannot show this file. Download it instead.
      </p>
    );
  }
  if (kind === 'video') {
    return (
      // Generated videos have no captions.
      <video controls preload="metadata" src={url} className={className} onError={() => setFailed(true)}>
        <track kind="captions" />
      </video>
    );
  }
  return (
    <img
      src={url}
      alt={`Result ${file.index + 1}`}
      loading="lazy"
      className={className}
      onError={() => setFailed(true)}
    />
  );
}

function FileLine({ taskId, file }: { taskId: string; file: File }): ReactElement {
  const { width, height, duration_ms: ms, media_type: type, bytes, index } = file;
  const facts = [
    width !== undefined && height !== undefined ? `${width} × ${height}` : undefined,
    ms === undefined ? undefined : `${(ms / 1_000).toFixed(1)} s`,
    type,
    formatBytes(bytes),
  ];
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="min-w-0 text-xs text-muted">{facts.filter((fact) => fact !== undefined).join(' · ')}</span>
      <a className="button" href={fileUrl(taskId, index)} download aria-label={`Download file ${index + 1}`}>
        <Download aria-hidden className="size-4" /> Download
      </a>
    </div>
  );
}
