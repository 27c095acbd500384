import { Download } from 'lucide-react';
import { fileContentUrl, type ListedFile } from '../../api/files.ts';
import type { Column } from '../../components/data-table.tsx';
import { TimeCell } from '../../components/time-cell.tsx';
import { formatBytes, formatTime } from '../../lib/format.ts';

/** @param onDelete undefined if the files belong to other keys, which are shown then */
export function fileColumns(onDelete: ((file: ListedFile) => void) | undefined): readonly Column<ListedFile>[] {
  return [
    {
      title: 'File',
      isFlexible: true,
      cell: ({ filename, id }) => (
        <>
          <div className="max-w-72 truncate font-medium" title={filename}>
            {filename}
          </div>
          <div className="max-w-72 truncate font-mono text-xs text-muted">{id}</div>
        </>
      ),
      detail: ({ bytes, purpose }) => `${purpose}, ${formatBytes(bytes)}`,
    },
    ...(onDelete ? [] : [{ title: 'Key', cell: ({ owner }: ListedFile) => owner, isMinor: true }]),
    { title: 'Purpose', cell: ({ purpose }) => purpose, isMinor: true },
    { title: 'Size', cell: ({ bytes }) => formatBytes(bytes), align: 'end', isMinor: true },
    { title: 'Created', cell: ({ created_at: at }) => <TimeCell at={at * 1_000} /> },
    { title: 'Expires', cell: ({ expires_at: at }) => formatTime(at * 1_000), isMinor: true },
    ...(onDelete ? [actionOf(onDelete)] : []),
  ];
}

function actionOf(onDelete: (file: ListedFile) => void): Column<ListedFile> {
  return {
    title: 'Action',
    cell: (file) => (
      <span className="inline-flex gap-2 max-sm:flex-col">
        <a href={fileContentUrl(file.id)} download className="button" aria-label={`Download ${file.filename}`}>
          <Download aria-hidden className="size-4" />
        </a>
        <button type="button" className="button" onClick={() => onDelete(file)}>
          Delete
        </button>
      </span>
    ),
    align: 'end',
  };
}
