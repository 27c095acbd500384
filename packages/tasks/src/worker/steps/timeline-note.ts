import type { ObserveResponse, VendorResponse } from '@sluice/canonical';
import { messageHash } from '@sluice/telemetry';
import type { TimelineEvent, TimelineNote } from '../../store/timeline.ts';

/** Records the last response that the vendor sent during a call. */
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

/**
 * Returns the log fields of a note. The reason is logged only as a hash, because it may be a vendor's message that
 * quotes the prompt.
 */
export function loggedReason({ httpStatus, code, reason }: TimelineNote): Record<string, unknown> {
  return {
    ...(httpStatus !== undefined && { http_status: httpStatus }),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason_hash: messageHash(reason) }),
  };
}
