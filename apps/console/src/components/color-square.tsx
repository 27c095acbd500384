import type { ReactElement } from 'react';

/** The color of a series. SVG attributes need no inline style, which the CSP forbids. @param color a design token */
export function ColorSquare({ color }: { color: string }): ReactElement {
  return (
    <svg aria-hidden className="size-2.5 shrink-0" viewBox="0 0 10 10">
      <rect width="10" height="10" rx="2" fill={`var(${color})`} />
    </svg>
  );
}
