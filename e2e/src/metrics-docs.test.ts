import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from './client.ts';
import { ROOT } from './processes.ts';
import { KEY, PATIENT_TIMEOUTS, type Stack, startStack, VENDOR_KEY } from './stack.ts';
import { type Receiver, startReceiver } from './webhooks/receiver.ts';

/** A metric family, either documented or scraped. */
interface Family {
  name: string;
  type: string;
  labels: string[];
}

const ADMIN_KEY = 'sk-e2e-admin-0004';
const LIMITED_KEY = 'sk-e2e-limited-0003';
const LONG = { timeout: 60_000 };

let stack: Stack;
let receiver: Receiver;
let workerOrigin: string;
beforeAll(async () => {
  receiver = await startReceiver();
  const port = await freePort();
  workerOrigin = `http://127.0.0.1:${port}`;
  stack = await startStack({
    workers: 0,
    apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
    configFor: (sandboxUrl) => ({
      upstreams: {
        dead: { kind: 'chat-completions', base_url: 'http://127.0.0.1:1/v1', api_key: VENDOR_KEY },
        alive: {
          kind: 'chat-completions',
          base_url: `${sandboxUrl}/v1`,
          api_key: VENDOR_KEY,
          quirks: { files: true },
        },
        pool: {
          kind: 'chat-completions',
          base_url: `${sandboxUrl}/v1`,
          credentials: [
            { name: 'valid', api_key: VENDOR_KEY },
            { name: 'revoked', api_key: `${VENDOR_KEY}-revoked` },
          ],
        },
      },
      models: [
        {
          id: 'text',
          routes: ['dead', 'alive'].map((upstream) => ({ upstream, model: 'sandbox-chat' })),
          price: { input: 1, output: 1 },
        },
        { id: 'pooled', routes: [{ upstream: 'pool', model: 'sandbox-chat' }] },
        { id: 'clip', routes: [{ upstream: 'vendor', model: 'sandbox-video' }], price: { video_second: 1 } },
      ],
    }),
    config: {
      timeouts: PATIENT_TIMEOUTS,
      keys: [
        { name: 'client', key: KEY },
        { name: 'limited', key: LIMITED_KEY, limits: { rpm: 1 } },
      ],
      files: { vendor_upload_bytes: 1 },
      webhooks: { allow: [receiver.origin], poll_ms: 50 },
    },
  });
  await stack.startWorker({ SLUICE_WORKER_HEALTH_PORT: String(port) });
  await callEverything();
});
afterAll(async () => {
  await stack.close();
  receiver.close();
});

async function post(at: string, body: object, key = KEY): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const response = await new Client(stack.origin, key).fetch(at, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
}

/** Makes calls that create at least one sample of every metric family. */
async function callEverything(): Promise<void> {
  const chat = { model: 'text', messages: [{ role: 'user', content: 'hi' }] };
  for (const stream of [false, true]) expect(await post('/v1/chat/completions', { ...chat, stream })).toBe(200);
  for (const status of [200, 429]) expect(await post('/v1/chat/completions', chat, LIMITED_KEY)).toBe(status);
  const part = { type: 'file', file: { file_id: await uploadFile() } };
  const withFile = { model: 'text', messages: [{ role: 'user', content: [part] }] };
  expect(await post('/v1/chat/completions', withFile)).toBe(200);
  const refused = { model: 'pooled', messages: [{ role: 'user', content: 'hi [401]' }] };
  expect(await post('/v1/chat/completions', refused)).toBe(502);
  expect(await post('/v1/webhooks', { url: `${receiver.origin}/hook` })).toBe(200);
  expect(await post('/v1/videos', { model: 'clip', prompt: 'a kite', seconds: '1' })).toBe(200);
  await waitForSample(workerOrigin, 'sluice_task_ends_total{');
  await waitForSample(stack.origin, 'sluice_webhook_attempts_total{');
}

async function uploadFile(): Promise<string> {
  const body = new FormData();
  body.append('purpose', 'user_data');
  body.append('file', new Blob(['%PDF-1.4'], { type: 'application/pdf' }), 'a.pdf');
  const response = await new Client(stack.origin, KEY).fetch('/v1/files', { method: 'POST', body });
  // The cast is safe because every created file has an id.
  return ((await response.json()) as { id: string }).id;
}

function waitForSample(origin: string, start: string): Promise<boolean> {
  return vi.waitUntil(async () => (await scrape(origin)).includes(start), LONG);
}

async function scrape(origin: string): Promise<string> {
  return (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })).text();
}

/** Returns the metric families of a scrape, excluding the process metrics. */
async function scraped(origin: string): Promise<Family[]> {
  const lines = (await scrape(origin)).split('\n');
  const families = lines.flatMap((line) => {
    const [, name = '', type = ''] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, type }];
  });
  const samples = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return families
    .filter(({ name }) => !/^(?:process|nodejs)_/.test(name))
    .map(({ name, type }) => {
      const own = samples.filter(
        (line) => (/^\w+/.exec(line)?.[0] ?? '').replace(/_(?:bucket|sum|count)$/, '') === name,
      );
      expect(own, `samples of ${name}`).not.toEqual([]);
      const labels = own.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label));
      return { name, type, labels: [...new Set(labels)].filter((label) => label !== 'le').toSorted() };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Returns the rows of the documented table that have one of these sources. */
async function documented(...sources: string[]): Promise<Family[]> {
  const docs = await readFile(path.join(ROOT, 'docs/operate/observability.md'), 'utf8');
  return docs
    .split('\n')
    .filter((line) => line.startsWith('| `sluice_'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , , , from = '']) => sources.includes(from))
    .map(([, name = '', type = '', labels = '']) => ({
      name: name.replaceAll('`', ''),
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).toSorted(),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

describe('docs/operate/observability.md', () => {
  it('lists the metrics of an API process, with their labels', async () => {
    expect(await documented('API', 'API, worker', 'all')).toEqual(await scraped(stack.origin));
  });

  it('lists the metrics of a worker, with their labels', async () => {
    expect(await documented('worker', 'API, worker')).toEqual(await scraped(workerOrigin));
  });

  it('queries only metrics and labels that exist', async () => {
    const docs = await readFile(path.join(ROOT, 'docs/operate/observability.md'), 'utf8');
    const families = new Map((await documented('API', 'worker', 'API, worker', 'all')).map((one) => [one.name, one]));
    const queries = docs.slice(docs.indexOf('### Queries'), docs.indexOf('## Logs'));
    for (const [, sample = '', matchers = ''] of queries.matchAll(/\b(sluice_\w+)(?:\{([^}]*)\})?/g)) {
      const family = families.get(sample.replace(/_bucket$/, ''));
      expect(family, sample).toBeDefined();
      const labels = [...matchers.matchAll(/(\w+)(?:=|!)/g)].map(([, label]) => label);
      expect(family?.labels, sample).toEqual(expect.arrayContaining(labels));
    }
  });
});

it('metrics contain no credential', async () => {
  const text = `${await scrape(stack.origin)}${await scrape(workerOrigin)}`;
  expect(text).toContain('key="limited"');
  for (const secret of [KEY, LIMITED_KEY, VENDOR_KEY, 'sk-']) expect(text).not.toContain(secret);
});
