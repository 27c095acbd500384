import { GatewayError } from '@sluice/canonical';
import { type ResponseEvent, type ResponseObject, responsesProtocol } from '@sluice/protocols';
import { lastEventOf, type StoredResponse } from '@sluice/responses';

/** A response that has ended, and the last event of its stream. */
export interface FinalResponse {
  record: StoredResponse & { status: FinalStatus };
  event: ResponseEvent;
}

type FinalStatus = 'completed' | 'incomplete' | 'failed' | 'cancelled';

const FINAL_TYPES: Readonly<Record<string, FinalStatus>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
};

/** Reads the end of a response from its last event. Undefined for any other event. */
export function finalResponse(
  record: StoredResponse,
  event: ResponseEvent,
  upstream: string,
): FinalResponse | undefined {
  const status = FINAL_TYPES[event.type];
  if (!status) return undefined;
  // The casts are safe because the internal API encoded the event.
  const { response } = JSON.parse(`{${event.members}}`) as { response: ResponseObject };
  const {
    output,
    error,
    completed_at: completedAt,
    incomplete_details: incomplete,
  } = response as ResponseObject & {
    output: StoredResponse['outputItems'];
    error: { code: string; message: string } | null;
    completed_at: number | null;
    incomplete_details: { reason: NonNullable<StoredResponse['incompleteReason']> } | null;
  };
  const usage = responsesProtocol.decodeUsage(response.usage, undefined, (name) => response[name]);
  return {
    event,
    record: {
      ...record,
      status,
      upstream,
      outputItems: output,
      ...(usage && { usage }),
      ...(completedAt !== null && { completedAt }),
      ...(error && { error: { code: error.code, message: error.message } }),
      ...(incomplete && { incompleteReason: incomplete.reason }),
    },
  };
}

export function failedResponse(record: StoredResponse, error: { code: string; message: string }): FinalResponse {
  const failed = { ...record, status: 'failed' as const, error };
  return { record: failed, event: lastEventOf(failed) };
}

/** Returns the public part of an error. */
export function errorOf(error: unknown): { code: string; message: string } {
  if (error instanceof GatewayError) return { code: error.code, message: error.message };
  return { code: 'server_error', message: 'An internal error occurred. Retry the request.' };
}

/** Returns the end of a response that a client has canceled in a process of an earlier version. */
export function endedResponse(record: StoredResponse): FinalResponse {
  const canceled = { ...record, status: 'cancelled' as const };
  return { record: canceled, event: lastEventOf(canceled) };
}
