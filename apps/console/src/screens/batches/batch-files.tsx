import { Link } from '@tanstack/react-router';
import { Download, FileText } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Batch } from '../../api/batches.ts';
import { fileContentUrl } from '../../api/files.ts';
import { useSession } from '../../app/use-session.ts';
import { Section } from '../../components/page-head.tsx';
import { isEndedBatch } from './batch-status.tsx';

/** The input and the results. Only the holder of the key reads their content. */
export function BatchFiles({ batch }: { batch: Batch }): ReactElement {
  const { role } = useSession();
  const files = [
    { title: 'Input', id: batch.input_file_id },
    { title: 'Output', id: batch.output_file_id },
    { title: 'Errors', id: batch.error_file_id },
  ];
  return (
    <Section title="Files" aside={role === 'holder' ? undefined : 'Only the key can read their content'}>
      <ul className="divide-y divide-line">
        {files.map(({ title, id }) => (
          <li key={title} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
            <FileText aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="w-14 font-medium">{title}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{id ?? absent(title, batch)}</span>
            {id !== null && role === 'holder' && (
              <a href={fileContentUrl(id)} download className="button" aria-label={`Download ${title.toLowerCase()}`}>
                <Download aria-hidden className="size-4" /> Download
              </a>
            )}
            {id !== null && role !== 'holder' && batch.owner !== undefined && (
              <Link
                to="/files"
                search={{ key: batch.owner, purpose: title === 'Input' ? 'batch' : 'batch_output' }}
                className="text-xs text-accent hover:underline"
              >
                Files of the key
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function absent(title: string, batch: Batch): string {
  if (isEndedBatch(batch) && batch.request_counts.total === 0) return 'no request was sent';
  if (!isEndedBatch(batch)) return 'written when the batch has ended';
  return title === 'Output' ? 'no request succeeded' : 'no request failed';
}
