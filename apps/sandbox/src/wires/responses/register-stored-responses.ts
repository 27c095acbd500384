import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { TextVendor } from '../../text/text-vendor.ts';
import type { WireError } from '../../http/wire-error.ts';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { openAiError } from '../openai-style/openai-error.ts';
import type { OutputItem } from './output-items.ts';
import { responseEvents } from './response-events.ts';
import type { ResponseObject } from './response-object.ts';
import type { ResponseStore, StoredResponse } from './response-store.ts';

interface OneResponse {
  Params: { id: string };
  Querystring: Record<string, unknown>;
}

const PageSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().optional(),
});

/** The output of a background response is hidden until the response is complete. */
function currentOf({ response, readyAt, cancelled }: StoredResponse, now: number): ResponseObject {
  const hidden = { output: [], usage: null, completed_at: null, incomplete_details: null };
  if (cancelled === true) return { ...response, ...hidden, status: 'cancelled' };
  return readyAt !== undefined && now < readyAt ? { ...response, ...hidden, status: 'in_progress' } : response;
}

/** @throws WireError 400 unless the response was streamed in the background (message: openai/openai-ruby#214). */
function replay({ response, streamed }: StoredResponse, after: unknown, reply: FastifyReply): FastifyReply {
  if (!response.background) throw notStreamable('background=true.');
  if (streamed !== true) throw notStreamable('stream=true or the stream TTL has expired.');
  // The cast is safe because the sandbox created all items of the response.
  const frames = [...responseEvents(response, response.output as OutputItem[])];
  const from = typeof after === 'string' ? Number(after) + 1 : 0;
  return reply.type('text/event-stream; charset=utf-8').send(frames.slice(from).join(''));
}

function notStreamable(missing: string): WireError {
  const message = `This response cannot be streamed because it was not created with ${missing}`;
  return openAiError(400, message, { param: 'stream', code: 'invalid_request_error' });
}

function idOf(item: object | undefined): unknown {
  return item !== undefined && 'id' in item ? item.id : null;
}

export function registerStoredResponses(scope: FastifyInstance, store: ResponseStore, { now }: TextVendor): void {
  scope.get<OneResponse>('/responses/:id', (request, reply) => {
    const stored = store.mustFind(request.params.id);
    const { stream, starting_after: after } = request.query;
    return stream === 'true' ? replay(stored, after, reply) : reply.send(currentOf(stored, now()));
  });

  scope.delete<OneResponse>('/responses/:id', (request, reply) => {
    const { response } = store.mustFind(request.params.id);
    store.remove(response.id);
    return reply.send({ id: response.id, object: 'response', deleted: true });
  });

  scope.post<OneResponse>('/responses/:id/cancel', (request, reply) => {
    const stored = store.mustFind(request.params.id);
    if (stored.readyAt === undefined) throw openAiError(400, 'Cannot cancel a synchronous response.');
    if (now() < stored.readyAt) stored.cancelled = true;
    return reply.send(currentOf(stored, now()));
  });

  scope.get<OneResponse>('/responses/:id/input_items', (request, reply) => {
    const { input } = store.mustFind(request.params.id);
    const parsed = PageSchema.safeParse(request.query);
    if (!parsed.success) throw explainIssue(parsed.error, request.query);
    const { limit, order, after } = parsed.data;
    const ordered = order === 'asc' ? input : input.toReversed();
    const from = after === undefined ? 0 : ordered.findIndex((item) => idOf(item) === after) + 1;
    const data = ordered.slice(from, from + limit);
    return reply.send({
      object: 'list',
      data,
      first_id: idOf(data[0]),
      last_id: idOf(data.at(-1)),
      has_more: from + limit < ordered.length,
    });
  });
}
