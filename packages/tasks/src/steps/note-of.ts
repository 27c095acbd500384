import type { HearAnswer, VendorAnswer } from '@sluice/canonical';
import type { TimelineEvent, TimelineNote } from '../timeline.ts';

/** Keeps the vendor's last answer of a call. */
export interface Ear {
  hear: HearAnswer;
  heard?: VendorAnswer;
}

/** Listens to a call. */
export function listen(): Ear {
  const ear: Ear = {
    hear: (answer) => {
      ear.heard = answer;
    },
  };
  return ear;
}

/** What the outcome of a call tells a timeline. */
export function noteOf(
  what: TimelineEvent,
  { kind, code, message }: { kind: string; code?: string; message?: string },
  { heard }: Pick<Ear, 'heard'> = {},
): TimelineNote {
  return {
    what,
    outcome: kind,
    ...(heard && { httpStatus: heard.httpStatus }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { reason: message }),
  };
}
