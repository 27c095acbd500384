import { GatewayError } from '@sluice/canonical';
import type { Admission } from '@sluice/limits';
import { decodeInputItemsQuery, decodeRetrieveQuery, inputItemsPage } from '@sluice/protocols';
import { isOpen, showResponse, type StoredResponse } from '@sluice/responses';
import type { TextCall } from '../generation/generation-deps.ts';
import { chargeBeforeDeletion, forwardStored } from './forward-stored.ts';
import { forwardStream } from './forward-stream.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { responseNotFound } from './store/response-not-found.ts';
import type { ResponseStore } from './store/response-store.ts';
import { streamEvents } from './stream-events.ts';

export async function retrieveResponse(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const record = await findResponse(deps.responses, call);
  const { isStream, startingAfter } = decodeRetrieveQuery(call.request.query);
  if (isStream) {
    return record.native
      ? forwardStream(deps, call, record, startingAfter !== undefined)
      : streamEvents(deps, call, record, startingAfter ?? -1);
  }
  if (record.native) return forwardStored(deps, call, record, 'GET', '');
  return call.reply.send(showResponse(record));
}

export async function deleteResponse(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const record = await findResponse(deps.responses, call);
  if (record.native) await chargeBeforeDeletion(deps, call, record);
  // The record is deleted first, so that no request finds the response while it is being deleted.
  releaseAdmission(deps, await deps.responses.remove(record));
  if (record.native) return deleteAtVendor(deps, call, record);
  return call.reply.send({ id: record.id, object: 'response', deleted: true });
}

async function deleteAtVendor(deps: ResponsesDeps, call: TextCall, record: StoredResponse): Promise<unknown> {
  try {
    return await forwardStored(deps, call, record, 'DELETE', '');
  } catch (error) {
    const isDeleted = error instanceof GatewayError && error.code === 'response_not_found';
    // The vendor still stores the response, so a retry must find the record.
    if (!isDeleted) await deps.responses.put(record);
    throw error;
  }
}

export async function cancelResponse(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const record = await findResponse(deps.responses, call);
  if (record.native) return forwardStored(deps, call, record, 'POST', '/cancel');
  if (record.body['background'] !== true) {
    throw new GatewayError('invalid_request', 'Only a response with `background: true` can be canceled.');
  }
  if (!isOpen(record) && record.status !== 'cancelled') {
    throw new GatewayError(
      'invalid_request',
      `The response cannot be canceled: it has ended with status \`${record.status}\`.`,
    );
  }
  const canceled = await deps.responses.cancel(record.owner, record.id);
  releaseAdmission(deps, canceled);
  return call.reply.send(showResponse(canceled.record ?? record));
}

export async function listInputItems(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const record = await findResponse(deps.responses, call);
  if (record.native) return forwardStored(deps, call, record, 'GET', '/input_items');
  const listing = decodeInputItemsQuery(call.request.query);
  const before = record.previousId === undefined ? [] : await deps.responses.chain(record.owner, record.previousId);
  const items = [...before, ...record.inputItems];
  return call.reply.send(inputItemsPage(items, listing));
}

/** Releases what a response has reserved that no worker will run. */
function releaseAdmission(
  { charges }: Pick<ResponsesDeps, 'charges'>,
  { admission }: { admission?: string | undefined },
) {
  // The cast is safe because `queueResponse` wrote this value.
  if (admission !== undefined) charges.release(JSON.parse(admission) as Admission);
}

async function findResponse(
  responses: Pick<ResponseStore, 'get'>,
  { apiKey, request }: TextCall,
): Promise<StoredResponse> {
  // The cast is safe because the route has this parameter.
  const id = (request.params as { response_id: string }).response_id;
  const record = await responses.get(apiKey.name, id);
  if (record) return record;
  throw responseNotFound(id);
}
