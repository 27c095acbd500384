import { GatewayError } from '@sluice/canonical';
import { decodeInputItemsQuery, inputItemsPage, responseObject } from '@sluice/protocols';
import type { TextCall } from '../generation/generation-deps.ts';
import { forwardStored } from './forward-stored.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { responseNotFound } from './store/response-not-found.ts';
import type { ResponseStore } from './store/response-store.ts';
import { isOpen, type StoredResponse } from './store/stored-response.ts';

export async function retrieveResponse(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const record = await findResponse(deps.responses, call);
  if (isTrue((call.request.query as Query).stream)) {
    const what = 'A stored response cannot be streamed. Retrieve it without `stream`.';
    throw new GatewayError('unsupported_parameter', what, { param: 'stream' });
  }
  if (record.native) return forwardStored(deps, call, record, 'GET', '');
  return call.reply.send(encode(record));
}

export async function deleteResponse(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const record = await findResponse(deps.responses, call);
  // The record is deleted first, so that no request finds the response while it is being deleted.
  await deps.responses.remove(record.owner, record.id);
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
  return call.reply.send(encode(canceled ?? record));
}

export async function listInputItems(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const record = await findResponse(deps.responses, call);
  if (record.native) return forwardStored(deps, call, record, 'GET', '/input_items');
  const listing = decodeInputItemsQuery(call.request.query);
  const before = record.previousId === undefined ? [] : await deps.responses.chain(record.owner, record.previousId);
  const items = [...before, ...record.inputItems];
  return call.reply.send(inputItemsPage(items, listing));
}

/** A query value can be of any type. */
interface Query {
  stream?: unknown;
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

function encode({ id, createdAt, model, status, body, outputItems, usage, error, incompleteReason }: StoredResponse) {
  return responseObject({
    id,
    createdAt,
    model,
    status,
    body,
    output: outputItems,
    ...(usage && { usage }),
    ...(error && { error }),
    ...(incompleteReason !== undefined && { incompleteReason }),
  });
}

function isTrue(value: unknown): boolean {
  return value === 'true' || value === '1';
}
