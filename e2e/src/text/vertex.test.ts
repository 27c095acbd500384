import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENTS } from './clients/index.ts';
import type { Turn } from './clients/text-client.ts';
import { failureOf, testCloudText } from './cloud-text.ts';
import { callOf, modelTurn, TOOLS, toolTurn, uniqueWord, userTurn } from './conversation.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

const PLACE = '${SLUICE_SANDBOX_URL}/vertex/v1/projects/p/locations/us-central1/publishers';
const GEMINI = { kind: 'generative-content', base_url: `${PLACE}/google` };
const CLAUDE = { kind: 'messages', base_url: `${PLACE}/anthropic` };
const CLAUDE_MODEL = 'claude-sonnet-4-5@20250929';
const route = (upstream: string, model: string) => ({ routes: [{ upstream, model }] });

let stack: TextStack;
let dir = '';
/** Identities by name. The query makes the sandbox's endpoints behave differently. */
const FILES = {
  account: 'service-account.json',
  workload: 'workload-identity.json',
  early: 'service-account.json?life=1',
  failing: 'service-account.json?fail=100',
  hiccup: 'service-account.json?fail=1',
};

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-vertex-'));
  const identityOf = (name: keyof typeof FILES) => ({
    type: 'google-credentials',
    credentials_file: path.join(dir, `${name}.json`),
  });
  stack = await startTextStack(
    {
      routing: { failures: 1_000 },
      upstreams: {
        gemini: { ...GEMINI, identity: identityOf('account') },
        claude: { ...CLAUDE, identity: identityOf('workload') },
        metadata: { ...GEMINI, identity: { type: 'google-metadata' } },
        express: {
          kind: 'generative-content',
          base_url: '${SLUICE_SANDBOX_URL}/vertex/v1/publishers/google',
          api_key: 'sk-sandbox',
        },
        early: { ...GEMINI, identity: identityOf('early') },
        failing: { ...GEMINI, identity: identityOf('failing') },
        hiccup: { ...GEMINI, identity: identityOf('hiccup') },
      },
      models: [
        { id: 'gemini', ...route('gemini', 'gemini-2.5-flash') },
        { id: 'claude', ...route('claude', CLAUDE_MODEL) },
        ...['metadata', 'express', 'early', 'failing', 'hiccup'].map((id) => ({
          id,
          routes: [{ upstream: id, model: 'gemini-2.5-flash' }],
        })),
        { id: 'embedding', ...route('gemini', 'text-embedding-005') },
      ],
    },
    async (sandboxUrl) => {
      for (const [name, file] of Object.entries(FILES)) {
        const response = await fetch(`${sandboxUrl}/vertex/tokens/${file}`);
        await writeFile(path.join(dir, `${name}.json`), await response.text());
      }
      return { GCE_METADATA_HOST: new URL(sandboxUrl).host };
    },
  );
});
afterAll(async () => {
  await stack.close();
  await rm(dir, { recursive: true });
});

describe.each(CLIENTS)('Vertex AI for $name', (kind) => {
  const open = (maxRetries?: number) => kind.open({ origin: stack.origin, key: KEY, maxRetries });

  testCloudText(kind, open, ['gemini', 'claude']);

  it.each(['gemini', 'claude'])('calls tools of %s over two turns', async (model) => {
    const client = open();
    const turns: Turn[] = [userTurn(`[think] [tool:get_weather] ${uniqueWord()}`)];
    const request = { model, think: true, tools: TOOLS };
    const reply = await client.stream({ ...request, turns });
    expect([reply.finish, reply.calls.map(({ name }) => name)]).toEqual(['tools', ['get_weather']]);
    turns.push(modelTurn(reply), toolTurn({ call: callOf(reply, 'get_weather'), text: 'sunny', isError: false }));
    expect((await client.create({ ...request, turns })).text).toMatch(/get_weather answered: .*sunny/);
  });

  it('reports the vendor’s errors', async () => {
    const client = open(0);
    const sending = (model: string, words: string) => client.create({ model, turns: [userTurn(words + uniqueWord())] });
    for (const model of ['gemini', 'claude'])
      expect([
        await failureOf(client, sending(model, '[500] ')),
        await failureOf(client, sending(model, '[context] ')),
        await failureOf(client, sending(model, '[429] ')),
      ]).toEqual(['server', 'bad-request', 'rate-limit']);
    expect(await failureOf(client, sending('failing', 'hi '))).toBe('server');
  });
});

describe('identities of Google Cloud', () => {
  const client = CLIENTS[0];
  const open = () => client?.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
  const say = async (model: string) => (await open()?.create({ model, turns: [userTurn('hi')] }))?.text;

  it.each(['metadata', 'express'])('calls Gemini with the credential %s', async (model) => {
    expect(await say(model)).toBe('You said: hi');
  });

  it('replaces a token that the vendor rejects before its time', async () => {
    expect(await say('early')).toBe('You said: hi');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await say('early')).toBe('You said: hi');
  });

  it('outlives a failure of the token endpoint', async () => {
    expect(await say('hiccup')).toBe('You said: hi');
  });

  it('relays Gemini’s and Anthropic’s requests with one small edit', async () => {
    const word = uniqueWord();
    const post = async (place: string, body: string, headers: object = {}) => {
      const init = { method: 'POST', headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers }, body }; // prettier-ignore
      const response = await fetch(stack.origin + place, init);
      expect(response.status).toBe(200);
      return response.json();
    };
    const part = { role: 'user', parts: [{ text: word }] };
    await post('/v1beta/models/gemini:generateContent', JSON.stringify({ contents: [part], labels: { team: 'a' } }));
    const message = {
      model: 'claude',
      max_tokens: 9,
      messages: [{ role: 'user', content: word }],
      inference_geo: 'us',
    };
    await post('/v1/messages', JSON.stringify(message), { 'anthropic-version': '2023-06-01' });
    const sent = await stack.seen(word);
    const { model: _model, ...rest } = message;
    expect(sent.map(({ path: place, body }) => [place.split('/publishers').at(-1), body])).toEqual([
      ['/google/models/gemini-2.5-flash:generateContent', { contents: [part], labels: { team: 'a' } }],
      [
        `/anthropic/models/${encodeURIComponent(CLAUDE_MODEL)}:rawPredict`,
        { anthropic_version: 'vertex-2023-10-16', ...rest },
      ],
    ]);
  });

  it('embeds texts', async () => {
    const response = await fetch(`${stack.origin}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'embedding', input: ['a kite', 'a boat'], dimensions: 8 }),
    });
    expect(await response.json()).toMatchObject({
      data: [{ index: 0 }, { index: 1 }],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
  });
});
