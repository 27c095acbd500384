import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import type { MessageBatch, MessageBatchIndividualResponse } from '@anthropic-ai/sdk/resources/messages/batches';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 20 });
});
afterAll(() => sandbox.close());

const client = () => new Anthropic({ baseURL: sandbox.url, apiKey: 'sk-sandbox', maxRetries: 0 });

function line(id: string, content: string) {
  return { custom_id: id, params: { model: 'claude', max_tokens: 50, messages: [{ role: 'user' as const, content }] } };
}

/** The calls of a task are counted together, so each batch is a task of its own. */
function create(texts: readonly string[]): Promise<MessageBatch> {
  const requests = texts.map((text, at) => line(`line-${at}`, text));
  return client().messages.batches.create({ requests }, { headers: { 'x-client-request-id': randomUUID() } });
}

async function until(id: string, isReached: (batch: MessageBatch) => boolean): Promise<MessageBatch> {
  for (;;) {
    const batch = await client().messages.batches.retrieve(id);
    if (isReached(batch)) return batch;
    await sleep(5);
  }
}

const ended = (id: string) => until(id, (batch) => batch.processing_status === 'ended');

async function results(id: string) {
  const found: Record<string, MessageBatchIndividualResponse['result']> = {};
  for await (const { custom_id: key, result } of await client().messages.batches.results(id)) found[key] = result;
  return found;
}

async function lineCalls(id: string): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/_sandbox/batches`);
  const { batches } = (await response.json()) as { batches: { upstream_ids: string[]; line_calls: number }[] };
  return batches.find(({ upstream_ids: ids }) => ids.includes(id))?.line_calls;
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIConnectionError) return 'disconnected';
    return error instanceof APIError ? { refused: error.status, type: error.type } : error;
  }
}

describe('message batches', () => {
  it('serve each request once, with the tier of batches', async () => {
    const created = await create(['one', 'two [context]', 'three [cut]']);
    expect(created).toMatchObject({
      processing_status: 'in_progress',
      results_url: null,
      request_counts: { processing: 3 },
    });
    const batch = await ended(created.id);
    expect(batch.request_counts).toEqual({ processing: 0, succeeded: 1, errored: 2, canceled: 0, expired: 0 });
    expect(batch.results_url).toBe(`${sandbox.url}/v1/messages/batches/${created.id}/results`);
    expect(await results(created.id)).toMatchObject({
      'line-0': { type: 'succeeded', message: { type: 'message', usage: { service_tier: 'batch' } } },
      'line-1': { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error' } } },
      'line-2': { type: 'errored', error: { type: 'error', error: { type: 'api_error' } } },
    });
    expect(await lineCalls(created.id)).toBe(3);
    expect(await client().messages.batches.delete(created.id)).toEqual({
      id: created.id,
      type: 'message_batch_deleted',
    });
    expect(await failure(client().messages.batches.retrieve(created.id))).toMatchObject({ refused: 404 });
  });

  it('are refused if their requests are invalid', async () => {
    const requests = [line('a', 'x'), line('a', 'y')];
    const refused = { refused: 400, type: 'invalid_request_error' };
    expect(await failure(client().messages.batches.create({ requests }))).toEqual(refused);
    expect(await failure(client().messages.batches.create({ requests: [] }))).toEqual(refused);
    expect(await failure(client().messages.batches.create({ requests: [line('a b', 'x')] }))).toEqual(refused);
  });

  it('are listed, the newest first, in both directions', async () => {
    const ids: string[] = [];
    for (const text of ['x', 'y', 'z']) ids.unshift((await create([text])).id);
    const page = async (query: object) =>
      (await client().messages.batches.list(query)).data.map(({ id }) => ids.indexOf(id));
    expect(await page({ limit: 2 })).toEqual([0, 1]);
    expect(await page({ limit: 1, after_id: ids[1] })).toEqual([2]);
    expect(await page({ limit: 1, before_id: ids[2] })).toEqual([1]);
  });

  it('are canceled with partial results', async () => {
    const { id } = await create(['one [batch:stall]', 'two']);
    await expect.poll(() => lineCalls(id)).toBe(1);
    expect(await failure(client().messages.batches.delete(id))).toMatchObject({ refused: 400 });
    expect(await client().messages.batches.cancel(id)).toMatchObject({ processing_status: 'canceling' });
    expect((await ended(id)).request_counts).toMatchObject({ succeeded: 1, canceled: 1 });
    expect(await results(id)).toMatchObject({ 'line-0': { type: 'succeeded' }, 'line-1': { type: 'canceled' } });
  });

  it('expire with partial results', async () => {
    const { id } = await create(['one [batch:expire]', 'two']);
    expect((await ended(id)).request_counts).toMatchObject({ succeeded: 1, expired: 1 });
    expect(await results(id)).toMatchObject({ 'line-0': { type: 'succeeded' }, 'line-1': { type: 'expired' } });
  });

  it('apply the directives of creations and downloads', async () => {
    expect(await failure(create(['lost [batch:lost-reply]']))).toBe('disconnected');
    expect((await client().messages.batches.list({ limit: 1 })).data).toHaveLength(1);
    expect(await failure(create(['[batch:503]']))).toEqual({ refused: 529, type: 'overloaded_error' });
    expect(await failure(create(['[batch:balance]']))).toMatchObject({ refused: 400 });
    expect(await failure(create(['[batch:429]']))).toEqual({ refused: 429, type: 'rate_limit_error' });
    const { id } = await create(['[batch:cut]']);
    await ended(id);
    expect(await failure(results(id))).toBeInstanceOf(Error);
    expect(await failure(results(id))).toBeInstanceOf(Error);
    expect(Object.keys(await results(id))).toEqual(['line-0']);
  });

  it('are at Azure too', async () => {
    const headers = {
      'x-api-key': 'sk-sandbox',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    };
    const response = await fetch(`${sandbox.url}/azure/anthropic/v1/messages/batches`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ requests: [line('a', 'hi')] }),
    });
    const { id } = (await response.json()) as MessageBatch;
    expect((await ended(id)).results_url).toBe(`${sandbox.url}/azure/anthropic/v1/messages/batches/${id}/results`);
  });
});
