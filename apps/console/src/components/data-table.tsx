import type { ReactElement, ReactNode } from 'react';
import { Skeleton } from './notices.tsx';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** A second line in small windows, with what hidden columns show elsewhere. */
  detail?: (row: Row) => ReactNode;
  /** Numbers are at the end, so that their digits align. */
  align?: 'start' | 'end';
  /** Hidden in small windows. */
  isMinor?: boolean;
  /**
   * On a phone, gets the width that the other columns leave, and must cut its text. With `everywhere`, also in larger
   * windows, for tables that are otherwise wider than a desktop.
   */
  isFlexible?: boolean | 'everywhere';
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  /** Undefined while the first page loads. */
  rows: readonly Row[] | undefined;
  idOf: (row: Row) => string;
  /** Rows that have just arrived. They are marked for a moment. */
  isNew?: (row: Row) => boolean;
}

const LOADING_ROWS = 8;

/** A table of one page of rows. It scrolls sideways in small windows. */
export function DataTable<Row>({ caption, columns, rows, idOf, isNew }: DataTableProps<Row>): ReactElement {
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={caption}>
      <table className="w-full border-collapse text-left tabular-nums" aria-busy={rows === undefined}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            {columns.map((column) => (
              <th key={column.title} scope="col" className={cellClass(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <tr
              key={idOf(row)}
              className={`border-b border-line last:border-b-0 hover:bg-raised ${isNew?.(row) ? 'row-new' : ''}`}
            >
              {columns.map((column) => (
                <td key={column.title} className={cellClass(column)}>
                  {column.cell(row)}
                  {column.detail && <div className="text-xs text-muted md:hidden">{column.detail(row)}</div>}
                </td>
              ))}
            </tr>
          )) ?? <LoadingRows columns={columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

function LoadingRows({ columns }: { columns: number }): ReactElement[] {
  return Array.from({ length: LOADING_ROWS }, (_, at) => (
    <tr key={at} className="border-b border-line last:border-b-0">
      <td colSpan={columns} className="px-4 py-2.5">
        <Skeleton className="h-4 w-full" />
      </td>
    </tr>
  ));
}

function cellClass({ align, isMinor, isFlexible }: Pick<Column<never>, 'align' | 'isMinor' | 'isFlexible'>): string {
  const phone = isFlexible ? 'max-sm:w-full max-sm:max-w-0 max-sm:truncate' : '';
  const width = isFlexible === 'everywhere' ? `w-full max-w-40 ${phone}` : phone;
  return `px-4 py-2 font-normal max-sm:px-2.5 whitespace-nowrap ${align === 'end' ? 'text-right' : ''} ${isMinor ? 'max-md:hidden' : ''} ${width}`;
}
