import { AnthropicFoundry } from '@anthropic-ai/foundry-sdk';
import OpenAI, { APIError, AzureOpenAI } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
let clock = 0;
beforeEach(async () => {
  clock = 1_767_323_045_000;
  sandbox = await startSandbox({ now: () => clock, renderMs: 20 });
});
afterEach(() => sandbox.close());

const messages = [{ role: 'user' as const, content: 'hello' }];

/** Requests a token as a client with a secret. */
async function token(more: Record<string, string> = {}): Promise<string> {
  const form = {
    grant_type: 'client_credentials',
    client_id: 'app',
    client_secret: 'sk-sandbox',
    scope: 'https://cognitiveservices.azure.com/.default',
    ...more,
  };
  const response = await fetch(`${sandbox.url}/contoso/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const body = (await response.json()) as { access_token?: string; error_description?: string };
  return body.access_token ?? `${response.status} ${body.error_description?.split(' ', 1)[0]}`;
}

function control(change: object) {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${sandbox.url}/_sandbox/entra`, { method: 'POST', headers, body: JSON.stringify(change) });
}

async function statusOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return 200;
  } catch (error) {
    return error instanceof APIError ? [error.status, error.code] : error;
  }
}

/** A client with the published options of Azure. */
function azure(credential: { apiKey: string } | { azureADTokenProvider: () => Promise<string> }, deployment?: string) {
  return new AzureOpenAI({
    endpoint: `${sandbox.url}/azure`,
    apiVersion: '2025-04-01-preview',
    maxRetries: 0,
    ...(deployment !== undefined && { deployment }),
    ...credential,
  });
}

const call = (client: OpenAI) => statusOf(client.chat.completions.create({ model: 'my-gpt', messages }));

const CLAUDE_REQUEST = { model: 'claude-sonnet', max_tokens: 100, messages };

function claude(credential: ConstructorParameters<typeof AnthropicFoundry>[0]) {
  return new AnthropicFoundry({ baseURL: `${sandbox.url}/azure/anthropic/`, maxRetries: 0, ...credential }).messages;
}

describe('the client AzureOpenAI', () => {
  it.each([
    ['a key', () => azure({ apiKey: 'sk-sandbox' })],
    ['a token', () => azure({ azureADTokenProvider: () => token() })],
    ['a deployment', () => azure({ apiKey: 'sk-sandbox' }, 'my-gpt')],
  ])('chats, streams, embeds, and creates responses with %s', async (_what, open) => {
    const client = open();
    const chat = await client.chat.completions.create({ model: 'my-gpt', messages });
    expect(chat.choices[0]?.message.content).toBe('You said: hello');
    let text = '';
    for await (const chunk of await client.chat.completions.create({ model: 'my-gpt', messages, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe('You said: hello');
    expect((await client.responses.create({ model: 'my-gpt', input: 'hello' })).output_text).toBe('You said: hello');
    const { data } = await client.embeddings.create({ model: 'my-embedding', input: 'hello' });
    expect(data[0]?.embedding.length).toBeGreaterThan(10);
  });

  it('creates images and speech, as the client OpenAI does at the v1 API', async () => {
    const options = { apiKey: 'sk-sandbox', maxRetries: 0 };
    for (const client of [azure(options), new OpenAI({ baseURL: `${sandbox.url}/azure/openai/v1`, ...options })]) {
      const { data } = await client.images.generate({ model: 'gpt-image-1', prompt: 'kite', size: '1024x1024' });
      expect(data?.[0]?.b64_json?.length).toBeGreaterThan(100);
      const speech = await client.audio.speech.create({ model: 'tts', voice: 'alloy', input: 'hi' });
      expect((await speech.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  it('has no videos, which only the v1 API serves', async () => {
    const request = { model: 'sora-2', prompt: 'kite' } as const;
    await expect(azure({ apiKey: 'sk-sandbox' }).videos.create(request)).rejects.toMatchObject({ status: 404 });
    const client = new OpenAI({ baseURL: `${sandbox.url}/azure/openai/v1`, apiKey: await token(), maxRetries: 0 });
    const { id } = await client.videos.create(request);
    expect(await client.videos.retrieve(id)).toMatchObject({ id, prompt: 'kite' });
  });

  it('is refused with another key, and with a token that is expired, revoked, or of another audience', async () => {
    expect(await call(azure({ apiKey: 'sk-other' }))).toEqual([401, '401']);
    const first = await token();
    const withToken = (value: string) => call(azure({ azureADTokenProvider: async () => value }));
    expect(await withToken(first)).toBe(200);
    expect(await withToken(`${first}x`)).toEqual([401, 'Unauthorized']);
    expect(await withToken(await token({ scope: 'https://graph.microsoft.com/.default' }))).toEqual([401, 'Unauthorized']); // prettier-ignore
    await control({ revoke: true });
    expect(await withToken(first)).toEqual([401, 'Unauthorized']);
    const second = await token();
    expect(await withToken(second)).toBe(200);
    clock += 3_600_001;
    expect(await withToken(second)).toEqual([401, 'Unauthorized']);
  });
});

describe('the client AnthropicFoundry', () => {
  it.each([
    ['a key', { apiKey: 'sk-sandbox' }],
    ['a token', { azureADTokenProvider: () => token() }],
  ])('creates and streams messages with %s', async (_what, credential) => {
    const messagesOf = claude(credential);
    expect((await messagesOf.create(CLAUDE_REQUEST)).content).toMatchObject([{ text: 'You said: hello' }]);
    expect(await messagesOf.stream(CLAUDE_REQUEST).finalText()).toBe('You said: hello');
  });

  it('is refused with another key', async () => {
    await expect(claude({ apiKey: 'sk-other' }).create(CLAUDE_REQUEST)).rejects.toMatchObject({ status: 401 });
  });
});

describe('the token endpoint', () => {
  it.each([
    ['another secret', { client_secret: 'sk-other' }, '401 AADSTS7000215:'],
    ['another grant', { grant_type: 'password' }, '400 AADSTS70003:'],
    ['a scope of one permission', { scope: 'https://cognitiveservices.azure.com/read' }, '400 AADSTS70011:'],
    ['an assertion that is no token', { client_assertion: 'x' }, '401 AADSTS50027:'],
  ])('refuses %s', async (_what, more, expected) => {
    expect(await token(more)).toBe(expected);
  });

  it('fails on demand', async () => {
    await control({ failures: 1 });
    expect(await token()).toBe('503 AADSTS90033:');
    expect(await token()).toMatch(/^eyJ/);
  });
});
