import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BatchVendor } from '../../batches/batch-vendor.ts';
import { createBatchWire } from '../../batches/batch-wire.ts';
import { isEnded } from '../../batches/vendor-batch.ts';
import { openScope } from '../../http/open-scope.ts';
import { sendHalf } from '../../http/send-half.ts';
import { errorTable } from '../media/format-error.ts';
import type { OneJob } from '../media/media-wire.ts';
import { queryNumber } from '../media/page-of.ts';
import { checkMessagesClient } from '../messages/check-messages-client.ts';
import { invalidMessages, messagesError } from '../messages/messages-error.ts';
import type { ListQuery } from '../openai-style/page-of-list.ts';
import { readCreation } from './create-request.ts';
import { type MessageBatchDetails, messageBatchObject } from './message-batch.ts';
import { messageBatchWork } from './message-batch-work.ts';

const INVALID = invalidMessages('requests: Input should be a valid list');
const THROTTLED = messagesError(429, "This request would exceed your account's rate limit. Please try again later.", {
  'retry-after': '1',
});

const format = errorTable(messagesError, (detail) => ({
  malformed: [400, detail],
  refused: INVALID,
  moderation: INVALID,
  balance: [400, 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.'],
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: [529, 'Overloaded'],
  broken: [500, 'Internal server error'],
  not_found: [404, `Message Batch ${detail} not found.`],
  unknown_call: [404, 'Not Found'],
}));

/** Headers of the creation that apply to each request. */
function sharedHeaders({ headers }: FastifyRequest): Record<string, string> {
  const names = ['anthropic-version', 'anthropic-beta'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

/** Newest first. @param all oldest first. */
function pageOf<Item extends { id: string }>(all: readonly Item[], query: Readonly<Record<string, unknown>>) {
  const { limit: requested, after_id: after, before_id: before } = query;
  const limit = queryNumber(requested, { min: 1, max: 1000, otherwise: 20 }, () =>
    invalidMessages('limit: Input should be between 1 and 1000'),
  );
  const newest = all.toReversed();
  const at = (id: unknown) => newest.findIndex((item) => item.id === id);
  if (before !== undefined) {
    const end = Math.max(0, at(before));
    return { items: newest.slice(Math.max(0, end - limit), end), hasMore: end > limit };
  }
  const start = at(after) + 1;
  return { items: newest.slice(start, start + limit), hasMore: newest.length > start + limit };
}

/** Serves `/messages/batches` of Anthropic. */
export function registerMessageBatches(scope: FastifyInstance, vendor: BatchVendor): void {
  const { apiKey, blobs, newId } = vendor;
  openScope(scope, {
    requestIdHeader: 'request-id',
    authenticate: (request) => checkMessagesClient(request, apiKey),
    formatHttpError: (status, message) => messagesError(status, message),
  });
  const wire = createBatchWire<MessageBatchDetails>(scope, vendor, { wire: 'message-batches', format });

  scope.post('/messages/batches', async (request, reply) => {
    const requests = readCreation(request.body);
    const [first] = requests;
    const id = `msgbatch_01${newId().slice(0, 22)}`;
    const file = blobs.openWriter();
    for (const line of requests) await file.write(line);
    const blob = await file.close();
    return wire.create(request, reply, {
      id,
      text: JSON.stringify(first),
      firstKey: first?.custom_id ?? '',
      details: { url: `${request.protocol}://${request.host}${request.originalUrl}/${id}`, size: requests.length },
      work: (batch) => messageBatchWork(vendor, blob, batch, sharedHeaders(request)),
      response: messageBatchObject,
    });
  });

  scope.get<ListQuery>('/messages/batches', ({ query }, reply) => {
    const { items, hasMore } = pageOf(wire.batches(), query);
    const ends = { first_id: items.at(0)?.id ?? null, last_id: items.at(-1)?.id ?? null };
    return reply.send({ data: items.map(messageBatchObject), has_more: hasMore, ...ends });
  });

  scope.get<OneJob>('/messages/batches/:id', ({ params }, reply) =>
    reply.send(messageBatchObject(wire.poll(params.id))),
  );

  scope.post<OneJob>('/messages/batches/:id/cancel', ({ params }, reply) => {
    const batch = wire.find(params.id);
    if (isEnded(batch)) throw invalidMessages(`Batch ${batch.id} cannot be canceled because it has already ended.`);
    wire.cancel(batch);
    return reply.send(messageBatchObject(batch));
  });

  scope.delete<OneJob>('/messages/batches/:id', ({ params }, reply) => {
    const batch = wire.find(params.id);
    if (!isEnded(batch)) throw invalidMessages(`Batch ${batch.id} cannot be deleted while it is processing.`);
    wire.remove(batch);
    return reply.send({ id: batch.id, type: 'message_batch_deleted' });
  });

  scope.get<OneJob>('/messages/batches/:id/results', async ({ params }, reply) => {
    const batch = wire.find(params.id);
    const { results } = batch.details;
    if (results === undefined) throw messagesError(404, `Batch ${batch.id} has no results yet.`);
    if (wire.isCut(batch)) return sendHalf(reply, await buffer(blobs.read(results)));
    return reply.type('application/x-jsonl').send(blobs.read(results));
  });
}
