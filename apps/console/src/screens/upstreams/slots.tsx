import type { ReactElement } from 'react';
import { Meter } from '../../components/meter.tsx';
import { formatCount } from '../../lib/format.ts';

/** A count and its limit, as a bar. @param format default: {@link formatCount} */
export function Slots({
  title,
  slots: { used, max },
  format = formatCount,
}: {
  title: string;
  slots: { used: number; max?: number | undefined };
  format?: (value: number) => string;
}): ReactElement {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between gap-4 tabular-nums">
        <span className="text-muted">{title}</span>
        <span>{max === undefined ? format(used) : `${format(used)} of ${format(max)}`}</span>
      </div>
      {max !== undefined && (
        <Meter label={`${title}: ${format(used)} of ${format(max)}`} value={used} max={max} isNeutral />
      )}
    </div>
  );
}
