import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { createPartFromUri, GoogleGenAI } from '@google/genai';
import { TINY_PNG } from '@sluice/testkit';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { installPackages } from '../python/install-packages.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { BATCH_MODELS, batchModelConfig } from './batch-models.ts';
import { comparable, type EndpointRequests, ENDPOINTS } from './endpoint-requests.ts';
import {
  completed,
  createBatch,
  ended,
  type LineResponse,
  READERS,
  resultsOf,
  type Sdks,
  textOf,
} from './read-batches.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const MODELS = BATCH_MODELS.filter(({ runner }) => runner === 'workers').map(({ model }) => model);
const PYTHON = await installPackages('openai==3.57.0', 'anthropic==2.14.0', 'google-genai==3.6.1');
const skipped = typeof PYTHON === 'string' ? ` [skipped: ${PYTHON}]` : '';

let stack: Stack;
let sdks: Sdks;
beforeAll(async () => {
  const config = { sandbox: { enabled: true }, batches: { poll_ms: 50 } };
  stack = await startStack({ workers: 2, config, configFor: batchModelConfig });
  sdks = {
    openai: new OpenAI({ baseURL: stack.baseUrl, apiKey: KEY }),
    anthropic: new Anthropic({ baseURL: stack.origin, apiKey: KEY }),
    google: new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: stack.origin } }),
    dir: stack.dir,
  };
});
afterAll(() => stack.close());

const messages = (content: string) => [{ role: 'user' as const, content }];
const contents = (text: string) => [{ role: 'user', parts: [{ text }] }];
const sayOf = (text: string) => Object.fromEntries(MODELS.map((model) => [model, text]));

/** Sends a request outside of a batch. */
async function callDirectly(endpoint: string, body: object): Promise<LineResponse> {
  try {
    return { status_code: 200, body: await sdks.openai.post(endpoint.slice('/v1'.length), { body }) };
  } catch (error) {
    if (error instanceof OpenAI.APIError) return { status_code: Number(error.status), body: { error: error.error } };
    throw error;
  }
}

/** The responses to both requests of an endpoint outside of a batch, without what differs between two responses. */
async function directly({ endpoint, valid, refused }: EndpointRequests): Promise<unknown> {
  const responses = [await callDirectly(endpoint, valid), await callDirectly(endpoint, refused)];
  expect(responses.map((response) => response.status_code < 300)).toEqual([true, false]);
  return comparable(responses);
}

/** The vendor's numbers of submissions and of served lines of a batch. Empty if the vendor did not run it. */
async function vendorRuns(id: string): Promise<unknown> {
  const report = await fetch(`${stack.sandboxUrl}/_sandbox/batches`);
  // The cast is safe because the sandbox returns this format.
  const { batches } = (await report.json()) as { batches: { task: string; applied: number; line_calls: number }[] };
  return batches.filter(({ task }) => task === id).map((batch) => [batch.applied, batch.line_calls]);
}

/** Waits until a video has ended, and downloads it. */
async function downloadVideo({ body }: LineResponse): Promise<Buffer> {
  const { id } = body as OpenAI.Video; // The cast is safe because the endpoint creates videos.
  await ended(async () => (await sdks.openai.videos.retrieve(id)).status, ['queued', 'in_progress']);
  return Buffer.from(await (await sdks.openai.videos.downloadContent(id)).arrayBuffer());
}

describe.concurrent('the OpenAI SDK', () => {
  it.each(BATCH_MODELS)('creates a batch over $model, run by $runner, that every SDK reads', async (row) => {
    const { model, runner, lines } = row;
    const valid = Array.from({ length: lines - 1 }, (_, at) => `line ${at}`);
    const bodies = [...valid, '[context]'].map((content) => ({ model, messages: messages(content) }));
    const batch = await completed(sdks.openai, await createBatch(sdks.openai, '/v1/chat/completions', bodies));
    expect(batch.request_counts).toEqual({ total: lines, completed: lines - 1, failed: 1 });
    const texts = [...valid.map((content) => `You said: ${content}`), 'error'];
    for (const read of Object.values(READERS)) expect(await read(sdks, batch)).toEqual(texts);
    const { choices } = await sdks.openai.chat.completions.create({ model, messages: messages('line 0') });
    expect(choices[0]?.message.content).toBe(texts[0]);
    expect(await vendorRuns(batch.id)).toEqual(runner === 'vendor' ? [[1, lines]] : []);
  });

  it.each(ENDPOINTS)('creates a batch of $endpoint with the results of direct calls', async (row) => {
    const id = await createBatch(sdks.openai, row.endpoint, [row.valid, row.refused]);
    const results = await resultsOf(sdks.openai, await completed(sdks.openai, id));
    expect(results.map(({ custom_id }) => custom_id)).toEqual(['0', '1']);
    expect(comparable(results.map(({ response }) => response))).toEqual(await directly(row));
  });

  it('creates a video in a batch, which is like one outside of a batch', async () => {
    const body = { model: 'sandbox-video', prompt: 'a kite', seconds: '1' };
    const batch = await completed(sdks.openai, await createBatch(sdks.openai, '/v1/videos', [body]));
    const results = await resultsOf(sdks.openai, batch);
    const responses = [...results.map(({ response }) => response), await callDirectly('/v1/videos', body)];
    const [video, other] = await Promise.all(responses.map(downloadVideo));
    expect(video?.toString('latin1', 4, 8)).toBe('ftyp');
    expect(video).toEqual(other);
  });
});

describe.concurrent('the SDKs of Anthropic and Google', () => {
  it.each(BATCH_MODELS)('create, poll, and read batches over $model, run by $runner', async (row) => {
    const { model, runner, lines } = row;
    const { anthropic, google } = sdks;
    const texts = Array<string>(lines).fill('You said: hello');
    const runs = runner === 'vendor' ? [[1, lines]] : [];

    const params = { model, max_tokens: 100, messages: messages('hello') };
    const requests = texts.map((_, at) => ({ custom_id: `${at}`, params }));
    const batch = await anthropic.messages.batches.create({ requests });
    await ended(async () => (await anthropic.messages.batches.retrieve(batch.id)).processing_status, ['in_progress']);
    expect(await READERS.anthropic(sdks, batch)).toEqual(texts);
    expect(await vendorRuns(batch.id)).toEqual(runs);

    const src = texts.map((_, at) => ({ contents: contents('hello'), metadata: { key: `${at}` } }));
    const { name = '' } = await google.batches.create({ model, src });
    await ended(async () => (await google.batches.get({ name })).state, ['JOB_STATE_PENDING', 'JOB_STATE_RUNNING']);
    const results = (await google.batches.get({ name })).dest?.inlinedResponses ?? [];
    expect(results.map(({ metadata }) => metadata?.['key'])).toEqual(requests.map(({ custom_id: id }) => id));
    expect(results.map(({ response }) => response && textOf(response))).toEqual(texts);
    expect(await vendorRuns(name.replace('batches/', 'batch_'))).toEqual(runs);
  });
});

describe.concurrent('a file', () => {
  it.each(MODELS)('is sent to %s by each SDK', async (model) => {
    const { openai, anthropic, google } = sdks;
    const { id } = await openai.files.create({ file: await toFile(TINY_PNG, 'pixel.png'), purpose: 'vision' });
    const input_image = { type: 'input_image' as const, file_id: id, detail: 'auto' as const };
    const { output_text: text } = await openai.responses.create({
      model,
      input: [{ role: 'user', content: [input_image] }],
    });
    const image = { type: 'image' as const, source: { type: 'file' as const, file_id: id } };
    const message = await anthropic.beta.messages.create({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: [image] }],
    });
    const { uri = '' } = await google.files.get({ name: `files/${id.slice('file-'.length)}` });
    const generated = await google.models.generateContent({ model, contents: [createPartFromUri(uri, 'image/png')] });
    for (const said of [text, message.content[0], generated.text])
      expect(JSON.stringify(said)).toContain('I see 1 image.');
  });
});

it.skipIf(typeof PYTHON === 'string')(`the Python SDKs use batches and files${skipped}`, async () => {
  if (typeof PYTHON === 'string') return;
  const setup = path.join(stack.dir, 'setup.json');
  await writeFile(
    setup,
    JSON.stringify({ endpoints: ENDPOINTS, models: MODELS, png: Buffer.from(TINY_PNG).toString('base64') }),
  );
  const program = path.join(import.meta.dirname, '../python/batches_and_files.py');
  const env = { ...process.env, ...PYTHON.env, ORIGIN: stack.origin, KEY };
  const { stdout } = await promisify(execFile)(PYTHON.command, [program, setup], { env, timeout: 110_000 });
  const { openai_batches: batches, images, ...found } = JSON.parse(stdout) as PythonResults;
  const said = sayOf('You said: hello');
  const file = ['a.txt', true, 'one', true];
  expect(found).toEqual({
    anthropic_batch: said,
    google_batches: said,
    google_batch_of_a_file: ['first', 'You said: hello'],
    openai_file: file,
    openai_upload: ['a.txt', 'one'],
    anthropic_file: file,
    google_file: file,
  });
  expect(Object.keys(images)).toEqual(MODELS);
  for (const text of Object.values(images).flat()) expect(text).toContain('I see 1 image.');
  for (const row of ENDPOINTS) expect(comparable(batches[row.endpoint])).toEqual(await directly(row));
});

/** The output of the Python program, by its functions. */
interface PythonResults {
  openai_batches: Record<string, LineResponse[]>;
  images: Record<string, string[]>;
}
