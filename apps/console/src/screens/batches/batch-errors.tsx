import { CircleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Batch } from '../../api/batches.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { MessageText } from '../../components/message-text.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCount } from '../../lib/format.ts';

/** The API returns this many at most. */
const MAX_SHOWN = 50;

type InputError = NonNullable<Batch['errors']>['data'][number];

/** Why the batch could not run. Errors of the input have the number of their line. */
export function BatchErrors({ batch: { errors, status } }: { batch: Batch }): ReactElement | null {
  if (!errors) return null;
  const lines = errors.data.filter(({ line }) => line !== null);
  const others = errors.data.filter(({ line }) => line === null);
  return (
    <Section title="Errors" aside={lines.length >= MAX_SHOWN && `The first ${MAX_SHOWN}`}>
      {others.map(({ code, message }) => (
        <div key={`${code} ${message}`} className="flex items-start gap-3 p-4">
          <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
          <p className="min-w-0 break-words">
            <MessageText text={message} /> <span className="font-mono text-xs text-muted">({code})</span>
          </p>
        </div>
      ))}
      {lines.length > 0 && (
        <>
          <p className="px-4 pt-4 pb-2 text-muted">
            Correct these lines, upload the file again, and create another batch.
            {status === 'failed' && ' No request was sent.'}
          </p>
          <DataTable
            caption="Errors of lines"
            columns={COLUMNS}
            rows={lines}
            idOf={({ line, param, message }) => `${line} ${param} ${message}`}
          />
        </>
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<InputError>[] = [
  { title: 'Line', cell: ({ line }) => formatCount(line ?? 0), align: 'end' },
  {
    title: 'Problem',
    cell: ({ message }) => (
      <span className="whitespace-normal wrap-anywhere">
        <MessageText text={message.replace(/^Line \d+: /, '')} />
      </span>
    ),
  },
  { title: 'Field', cell: ({ param }) => param ?? '–', isMinor: true },
];
