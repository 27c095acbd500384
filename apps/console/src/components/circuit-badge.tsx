import type { ReactElement } from 'react';
import { Badge, type Tone } from './badge.tsx';

const STATES: Readonly<Record<'closed' | 'half-open' | 'open', { tone: Tone; text: string }>> = {
  closed: { tone: 'ok', text: 'Healthy' },
  'half-open': { tone: 'warn', text: 'Testing' },
  open: { tone: 'bad', text: 'Paused' },
};

/** The state of a circuit breaker in plain words. */
export function CircuitBadge({ state }: { state: keyof typeof STATES }): ReactElement {
  return <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>;
}
