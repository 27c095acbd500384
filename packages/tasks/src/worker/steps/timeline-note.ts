import type { ObserveResponse, VendorResponse } from '@sluice/canonical';
import type { TimelineEvent, TimelineNote } from '../../store/timeline.ts';

/** Records the vendor's last response of a call. */
export interface ResponseRecorder {
  observe: ObserveResponse;
  recorded?: VendorResponse;
}

export function recordResponse(): ResponseRecorder {
  const observer: ResponseRecorder = {
    observe: (response) => {
      observer.recorded = response;
    },
  };
  return observer;
}

export function timelineNote(
  what: TimelineEvent,
  { kind, code, message }: { kind: string; code?: string; message?: string },
  { recorded }: Pick<ResponseRecorder, 'recorded'> = {},
): TimelineNote {
  return {
    what,
    outcome: kind,
    ...(recorded && { httpStatus: recorded.httpStatus }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { reason: message }),
  };
}
