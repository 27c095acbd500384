import { GatewayError } from '@sluice/canonical';
import { type BatchAction, type BatchEndpoint, decodeBatchChange } from '@sluice/protocols';
import type { ClientCall, EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import type { BatchCall } from './batch-call.ts';
import type { BatchesDeps } from './batches-deps.ts';
import { createBatch } from './create-batch.ts';
import { createGenerativeBatch, createMessageBatch } from './create-inline-batch.ts';
import { removeBatch } from './remove-batch.ts';
import { inlinedResults, sendResults } from './send-results.ts';

/** Handlers of batches. A batch of another key is treated as missing. */
export function batchHandlers(deps: BatchesDeps): EndpointHandlers<BatchAction> {
  const { batches, originOf } = deps;
  return {
    'batch.create': handler((call) => createBatch(deps, call)),
    'batch.create-messages': { ...handler((call) => createMessageBatch(deps, call)), streamsBody: true },
    'batch.create-generative': { ...handler((call) => createGenerativeBatch(deps, call)), readsBytes: true },
    'batch.list': handler(async ({ format, apiKey, request }) => {
      const page = await batches.list(apiKey.name, format.decodeListing(request.query));
      return format.encodeBatches(page.batches, page.hasMore, originOf(request));
    }),
    'batch.retrieve': handler(async (call) => {
      const batch = await batches.find(call.apiKey.name, idOf(call));
      const results = await inlinedResults(deps, call, batch);
      return call.format.encodeBatch(batch, originOf(call.request), results);
    }),
    'batch.change': handler((call) => changeBatch(deps, call)),
    'batch.cancel': handler((call) => cancelBatch(deps, call, idOf(call))),
    'batch.delete': handler(async (call) => {
      const id = idOf(call);
      await removeBatch(deps, call.apiKey.name, id);
      return call.format.encodeDeleted(id);
    }),
    'batch.results': handler(async (call) => {
      const { suffix = '' } = call.format.results ?? {};
      if (!call.name.endsWith(suffix)) {
        throw new GatewayError('not_found', `The path of the results of a batch must end in \`${suffix}\`.`);
      }
      const id = idOf({ ...call, name: call.name.slice(0, call.name.length - suffix.length) });
      return sendResults(deps, call, await batches.find(call.apiKey.name, id));
    }),
  };
}

function handler(serve: (call: BatchCall) => Promise<unknown>): EndpointHandler<BatchEndpoint> {
  return {
    serve: ({ endpoint, ...call }: ClientCall<BatchEndpoint>) => {
      const { headers, query, params } = call.request;
      // The casts are safe because the query is an object and path parameters are strings.
      const format = endpoint.protocol.formatOf(headers, query as Record<string, unknown>);
      const { batch_id: name = '' } = params as Record<string, string>;
      return serve({ ...call, format, name });
    },
  };
}

function idOf({ format, name }: Pick<BatchCall, 'format' | 'name'>): string {
  return format.decodeId ? format.decodeId(name) : name;
}

/** In Google's format, the only change is a cancellation. */
async function changeBatch(deps: BatchesDeps, call: BatchCall): Promise<unknown> {
  const { format, apiKey, name, request } = call;
  const { cancelSuffix } = format;
  if (cancelSuffix === undefined) {
    const change = decodeBatchChange(request.body);
    const batch = await deps.batches.change(apiKey.name, idOf(call), change);
    return format.encodeBatch(batch, deps.originOf(request));
  }
  if (!name.endsWith(cancelSuffix)) {
    throw new GatewayError('not_found', `The path of a batch must end in \`${cancelSuffix}\`.`);
  }
  return cancelBatch(deps, call, idOf({ format, name: name.slice(0, -cancelSuffix.length) }));
}

async function cancelBatch({ batches, originOf }: BatchesDeps, { format, apiKey, request }: BatchCall, id: string) {
  const batch = await batches.cancel(apiKey.name, id);
  return format.encodeCancelled(batch, originOf(request));
}
