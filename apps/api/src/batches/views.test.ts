import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { type BatchJob, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { startBatches, uploadFile, uploadLines } from '../../test/batches/batches-rig.ts';
import { scriptedUpstream, type ScriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { MODELS, respondWith, vendorConfig } from '../../test/vendor.ts';

let vendor: ScriptedUpstream;
let rig: TextRig;
let worker: ReturnType<typeof startBatches>;
let openai: OpenAI;
let anthropic: Anthropic;
let google: GoogleGenAI;
beforeAll(async () => {
  // Echoes the text of the request, so that each result shows which request it belongs to.
  vendor = await scriptedUpstream((request, response) => {
    const [, text = 'none'] = /"(?:content|text)":"([^"]*)"/.exec(request.raw) ?? [];
    if (text === 'fail') sendJson(response, 400, { error: { message: 'Refused.', type: 'invalid_request_error' } });
    else respondWith(`echo ${text}`)(request, response);
  });
  rig = await textRig(vendorConfig(vendor.url), { redisTimeoutMs: 10_000 });
  worker = startBatches(rig);
  openai = new OpenAI({ baseURL: `${rig.origin}/v1`, apiKey: KEYS.alice, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: rig.origin, apiKey: KEYS.alice, maxRetries: 0 });
  google = new GoogleGenAI({ apiKey: KEYS.alice, httpOptions: { baseUrl: rig.origin } });
});
afterAll(async () => {
  await worker.close(0);
  await rig.close();
  await vendor.close();
});

async function endedMessages(id: string): Promise<Anthropic.Messages.MessageBatch> {
  const status = async () => (await anthropic.messages.batches.retrieve(id)).processing_status;
  await expect.poll(status, { timeout: 30_000 }).toBe('ended');
  return anthropic.messages.batches.retrieve(id);
}

async function endedJob(name = '', client = google): Promise<BatchJob> {
  const state = async () => (await client.batches.get({ name })).state;
  await expect.poll(state, { timeout: 30_000 }).toMatch(/SUCCEEDED|FAILED/);
  return client.batches.get({ name });
}

async function resultsOf(id: string) {
  const results = [];
  for await (const result of await anthropic.messages.batches.results(id)) results.push(result);
  return results;
}

const succeeded = (text: string) => ({
  type: 'succeeded',
  message: { type: 'message', content: [{ type: 'text', text }] },
});

const inputs = async () => (await openai.files.list({ purpose: 'batch' })).data.length;

const contents = (text: string) => [{ role: 'user', parts: [{ text }] }];

const params = (content: string, model: string = MODELS.messages) => ({
  model,
  max_tokens: 20,
  messages: [{ role: 'user' as const, content }],
});

describe('the Anthropic SDK', () => {
  it('creates a batch of messages with several models, and reads its results', async () => {
    const created = await anthropic.messages.batches.create({
      requests: [
        { custom_id: 'a', params: params('one') },
        { custom_id: 'b', params: params('fail') },
        { custom_id: 'c', params: params('two', MODELS['chat-completions']) },
      ],
    });
    expect(created).toMatchObject({ type: 'message_batch', processing_status: 'in_progress', results_url: null });
    const { id } = created;
    const ended = await endedMessages(id);
    expect(ended.request_counts).toEqual({ processing: 0, succeeded: 2, errored: 1, canceled: 0, expired: 0 });
    const refused = { type: 'error', error: { type: 'invalid_request_error', message: 'Refused.' } };
    expect(await resultsOf(id)).toMatchObject([
      { custom_id: 'a', result: succeeded('echo one') },
      { custom_id: 'b', result: { type: 'errored', error: refused } },
      { custom_id: 'c', result: succeeded('echo two') },
    ]);

    const listed = [];
    for await (const batch of anthropic.messages.batches.list({ limit: 1 })) listed.push(batch.id);
    expect(listed).toContain(id);
    // The requests are a file of the key until the batch is deleted.
    const before = await inputs();
    expect(await anthropic.messages.batches.delete(id)).toEqual({ id, type: 'message_batch_deleted' });
    expect(await inputs()).toBe(before - 1);
    await expect(anthropic.messages.batches.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it('reads why a batch failed in its validation, for each of its messages', async () => {
    const requests = ['a', 'b'].map((custom_id) => ({ custom_id, params: params('one') }));
    const { id } = await anthropic.messages.batches.create({ requests, max_cost_usd: 1 } as {
      requests: typeof requests;
    });
    const ended = await endedMessages(id);
    expect(ended.request_counts).toEqual({ processing: 0, succeeded: 0, errored: 2, canceled: 0, expired: 0 });
    const message = expect.stringMatching(
      /^The batch failed, so the request was not sent\. The cost of the batch is unknown/,
    );
    const error = { type: 'error', error: { type: 'invalid_request_error', message } };
    expect(await resultsOf(id)).toMatchObject(
      ['a', 'b'].map((custom_id) => ({ custom_id, result: { type: 'errored', error } })),
    );
    expect((await openai.batches.retrieve(id)).request_counts).toEqual({ total: 0, completed: 0, failed: 0 });
  });

  it('reads the errors of invalid lines', async () => {
    const line = { custom_id: 'a', method: 'POST', url: '/v1/messages', body: params('one') };
    const input_file_id = await uploadFile(
      rig,
      `${JSON.stringify(line)}\n{\n${JSON.stringify({ ...line, url: '/v1' })}\n`,
    );
    const creation = { input_file_id, endpoint: '/v1/messages', completion_window: '24h' } as const;
    // The cast is safe because the endpoint is an extension.
    const { id } = await openai.batches.create(creation as unknown as OpenAI.BatchCreateParams);
    expect((await endedMessages(id)).request_counts.errored).toBe(3);
    const messages = (await resultsOf(id)).map(({ result }) =>
      result.type === 'errored' ? result.error.error.message : '',
    );
    expect(messages).toEqual([
      expect.stringContaining('The batch failed, so the request was not sent. Line 2: '),
      expect.stringMatching(/^Line 2: The line is not valid JSON/),
      expect.stringMatching(/^Line 3: `url` must be/),
    ]);
  });

  it('sends the headers and the labels of the batch with each message', async () => {
    const sent = vendor.requests.length;
    const headers = { 'anthropic-beta': 'context-1m-2025-08-07' };
    const requests = [{ custom_id: 'a', params: params('with-beta') }];
    const { id } = await anthropic.messages.batches.create({ requests }, { headers });
    await endedMessages(id);
    expect(vendor.requests.slice(sent).map((request) => request.headers['anthropic-beta'])).toEqual([
      headers['anthropic-beta'],
    ]);
  });

  it('cancels a batch', async () => {
    const requests = [{ custom_id: 'a', params: params('one') }];
    const { id } = await anthropic.messages.batches.create({ requests });
    await anthropic.messages.batches.cancel(id).catch((error: unknown) => {
      // The batch may have ended before.
      expect(error).toMatchObject({ status: 409 });
    });
    await endedMessages(id);
  });

  it('streams a large body to a file', async () => {
    const requests = Array.from({ length: 300 }, (_, at) => ({
      custom_id: `r${at}`,
      params: params(`n${at} ${'x'.repeat(40_000)}`),
    }));
    const before = rig.config.limits.json_bytes;
    expect(JSON.stringify(requests).length).toBeLessThan(before);
    const { id } = await anthropic.messages.batches.create({ requests });
    const { request_counts } = await endedMessages(id);
    expect(request_counts.succeeded).toBe(300);
    const results = await resultsOf(id);
    expect(results.map(({ custom_id }) => custom_id)).toEqual(requests.map(({ custom_id }) => custom_id));
  });
});

describe.each(['v1beta', 'v1'])('the Google SDK with version %s', (apiVersion) => {
  const client = () => new GoogleGenAI({ apiKey: KEYS.alice, apiVersion, httpOptions: { baseUrl: rig.origin } });
  const model = MODELS['generative-content'];

  it('creates a batch of requests, and reads the results in it', async () => {
    const src = [
      { contents: contents('one'), metadata: { key: 'first' } },
      {
        contents: contents('two'),
        config: { systemInstruction: { parts: [{ text: 'Be brief.' }] }, maxOutputTokens: 20 },
      },
    ];
    const created = await client().batches.create({ model, src, config: { displayName: 'nightly' } });
    expect(created).toMatchObject({ name: expect.stringMatching(/^batches\/\w{25}$/), displayName: 'nightly' });
    const job = await endedJob(created.name, client());
    expect(job).toMatchObject({ state: 'JOB_STATE_SUCCEEDED', model: `models/${model}` });
    const [first, second] = job.dest?.inlinedResponses ?? [];
    expect(first?.metadata).toEqual({ key: 'first' });
    expect(first?.response?.candidates?.[0]?.content?.parts).toEqual([{ text: 'echo one' }]);
    expect(second?.response?.candidates).toHaveLength(1);
    expect(vendor.requests.at(-1)?.raw).toContain('Be brief.');
    const names = [];
    for await (const { name } of await client().batches.list({ config: { pageSize: 1 } })) names.push(name);
    expect(names).toContain(created.name);
    await client().batches.delete({ name: created.name ?? '' });
    await expect(client().batches.get({ name: created.name ?? '' })).rejects.toMatchObject({ status: 404 });
  });

  it('reads a batch whose results were deleted', async () => {
    const { name = '' } = await client().batches.create({ model, src: [{ contents: contents('one') }] });
    await endedJob(name, client());
    const { output_file_id: fileId } = await openai.batches.retrieve(name.replace('batches/', 'batch_'));
    await openai.files.delete(fileId ?? '');
    const job = await client().batches.get({ name });
    expect(job).toMatchObject({ name, state: 'JOB_STATE_SUCCEEDED' });
    expect(job.dest?.inlinedResponses).toBeUndefined();
    const results = anthropic.messages.batches.results(name.replace('batches/', 'batch_'));
    await expect(results).rejects.toThrow('The results of the batch were deleted, or they have expired.');
  });

  it('creates a batch of the requests in a file, and downloads a file of results', async () => {
    const lines = ['one', 'fail'].map((text) =>
      JSON.stringify({ key: `key ${text}`, request: { contents: contents(text) } }),
    );
    const uploaded = await uploadFile(rig, lines.join('\n'));
    const src = `files/${uploaded.slice('file-'.length)}`;
    const created = await client().batches.create({ model: MODELS['chat-completions'], src });
    const job = await endedJob(created.name, client());
    const dir = await mkdtemp(path.join(tmpdir(), 'sluice-google-'));
    const downloadPath = path.join(dir, 'results.jsonl');
    await client().files.download({ file: job.dest?.fileName ?? '', downloadPath });
    // The SDK writes the file after the call.
    await expect.poll(async () => (await readFile(downloadPath, 'utf8').catch(() => '')).split('\n')).toHaveLength(3);
    const results = (await readFile(downloadPath, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    await rm(dir, { recursive: true });
    expect(results).toMatchObject([
      { key: 'key one', response: { candidates: [{ content: { parts: [{ text: 'echo one' }] } }] } },
      { key: 'key fail', error: { code: 3, message: 'Refused.' } },
    ]);
  });

  it('cancels a batch', async () => {
    const { name = '' } = await client().batches.create({ model, src: [{ contents: contents('one') }] });
    await client()
      .batches.cancel({ name })
      .catch((error: unknown) => expect(error).toMatchObject({ status: 409 }));
    await expect.poll(async () => (await client().batches.get({ name })).state).toMatch(/SUCCEEDED|CANCELLED/);
  });
});

it('shows a batch in every format under the same id, with translated results', async () => {
  const endpoint = '/v1/chat/completions';
  const bodies = ['one', 'fail'].map((text) => ({
    model: MODELS['generative-content'],
    messages: [{ role: 'user', content: text }],
  }));
  const input_file_id = await uploadLines(rig, endpoint, bodies);
  const { id } = await openai.batches.create({ input_file_id, endpoint, completion_window: '24h' });
  expect((await endedMessages(id)).request_counts).toMatchObject({ succeeded: 1, errored: 1 });
  expect(await resultsOf(id)).toMatchObject([
    { custom_id: 'line-0', result: { message: { content: [{ type: 'text', text: 'echo one' }] } } },
    { custom_id: 'line-1', result: { type: 'errored' } },
  ]);
  const job = await endedJob(`batches/${id.slice('batch_'.length)}`);
  expect(job.dest?.fileName).toBe(`files/batch-${id.slice('batch_'.length)}`);
  const text = await (await rig.call(`/v1beta/${job.dest?.fileName}:download?alt=media`)).text();
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toMatchObject([
    { key: 'line-0', response: { candidates: [{ content: { parts: [{ text: 'echo one' }] } }] } },
    { key: 'line-1', error: { code: expect.any(Number) } },
  ]);
  const inline = await google.batches.create({
    model: MODELS.messages,
    src: [{ contents: contents('two') }],
  });
  await endedJob(inline.name);
  const shown = `batch_${inline.name?.slice('batches/'.length)}`;
  expect(await resultsOf(shown)).toMatchObject([
    { custom_id: 'request-1', result: { message: { model: MODELS.messages, content: [{ text: 'echo two' }] } } },
  ]);
  expect(await openai.batches.retrieve(shown)).toMatchObject({
    status: 'completed',
    endpoint: `/v1beta/models/${MODELS.messages}:generateContent`,
  });
});

it('names the file of results that cannot be translated', async () => {
  const endpoint = '/v1/completions';
  const input_file_id = await uploadLines(rig, endpoint, [{ model: MODELS.messages, prompt: 'one', max_tokens: 5 }]);
  const { id } = await openai.batches.create({ input_file_id, endpoint, completion_window: '24h' });
  await endedMessages(id);
  const { output_file_id } = await openai.batches.retrieve(id);
  await expect(resultsOf(id)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(`Download the file \`${output_file_id}\`.`),
  });
  const job = await endedJob(`batches/${id.slice('batch_'.length)}`);
  expect(job.dest?.fileName).toBe(`files/${output_file_id?.slice('file-'.length)}`);
});
