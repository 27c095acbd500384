import type { ObserveResponse, VendorResponse } from '@sluice/canonical';
import type { TimelineEvent, TimelineNote } from '../../store/timeline.ts';

/** Records the vendor's last response of a call. */
export interface Observer {
  observe: ObserveResponse;
  recorded?: VendorResponse;
}

export function listen(): Observer {
  const observer: Observer = {
    observe: (response) => {
      observer.recorded = response;
    },
  };
  return observer;
}

/** Builds the timeline note for the outcome of a call. */
export function noteOf(
  what: TimelineEvent,
  { kind, code, message }: { kind: string; code?: string; message?: string },
  { recorded }: Pick<Observer, 'recorded'> = {},
): TimelineNote {
  return {
    what,
    outcome: kind,
    ...(recorded && { httpStatus: recorded.httpStatus }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { reason: message }),
  };
}
