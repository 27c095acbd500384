import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { exportUrl, type RequestQuery } from '../../api/requests.ts';

/** Links that download the filtered list. */
export function ExportLinks(query: Omit<RequestQuery, 'limit'>): ReactElement {
  return (
    <span className="flex" role="group" aria-label="Export, at most 10,000 entries">
      {(['csv', 'json'] as const).map((format, at) => (
        <a
          key={format}
          className={`button ${at === 0 ? 'rounded-r-none' : 'rounded-l-none border-l-0'}`}
          href={exportUrl(query, format)}
          download={`requests.${format}`}
          title="At most 10,000 entries, newest first"
        >
          {at === 0 && <Download aria-hidden className="size-4" />}
          {format.toUpperCase()}
        </a>
      ))}
    </span>
  );
}
