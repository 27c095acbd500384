import type { ReactElement, ReactNode } from 'react';

export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'neutral';

const DOTS: Readonly<Record<Tone, string>> = {
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
  accent: 'bg-accent',
  neutral: 'bg-muted',
};
const TEXTS: Readonly<Record<Tone, string>> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  accent: 'text-accent',
  neutral: 'text-muted',
};

/** A state as a colored dot and text, so that the color is not its only sign. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }): ReactElement {
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${TEXTS[tone]}`}>
      <span aria-hidden className={`size-1.5 rounded-full ${DOTS[tone]}`} />
      {children}
    </span>
  );
}
