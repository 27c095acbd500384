import { type ResponseEvent, responseEvent, type ResponseObject, responseObject } from '@sluice/protocols';
import type { StoredResponse } from './stored-response.ts';

/** Encodes a stored response for its client. */
export function showResponse(record: StoredResponse): ResponseObject {
  const { id, createdAt, model, status, body, outputItems, usage, error, incompleteReason, completedAt } = record;
  return responseObject({
    id,
    createdAt,
    model,
    status,
    body,
    output: outputItems,
    ...(usage && { usage }),
    ...(error && { error }),
    ...(completedAt !== undefined && { completedAt }),
    ...(incompleteReason !== undefined && { incompleteReason }),
  });
}

/** Returns the last event of the stream of a response that has ended. */
export function lastEventOf(record: StoredResponse): ResponseEvent {
  return responseEvent(record.status, showResponse(record));
}
