import type { ReactElement } from 'react';

/** @param percent undefined if it is unknown */
export function Progress({ label, percent }: { label: string; percent?: number | undefined }): ReactElement {
  const text = label.replaceAll('_', ' ');
  return (
    <div className="flex items-center gap-3">
      <progress
        className="h-2 flex-1 accent-accent"
        aria-label="Progress"
        max={100}
        {...(percent !== undefined && percent > 0 && { value: percent })}
      />
      <span role="status" className="text-xs text-muted tabular-nums">
        {percent === undefined ? text : `${text}, ${percent} %`}
      </span>
    </div>
  );
}
