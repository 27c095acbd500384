import type { ContentUnavailableError } from '@sluice/content';
import type { Move } from '../../store/move.ts';
import type { TimelineEvent } from '../../store/timeline.ts';
import { timelineNote } from './timeline-note.ts';

/** The fields of a move that make a task wait for the content store. Operators can see them. */
export function waitForStorage(what: TimelineEvent, { code }: ContentUnavailableError): Pick<Move, 'set' | 'note'> {
  return {
    set: { waitingReason: 'storage_unavailable' },
    note: timelineNote(what, { kind: 'late', code: 'storage_unavailable', message: code }),
  };
}

/** The fields of a move that end the wait for the content store. */
export const STORAGE_WORKS = { waitingReason: '' } as const;
