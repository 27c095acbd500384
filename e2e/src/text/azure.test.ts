import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { selfSigned } from '@sluice/testkit';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRealtime } from '../direct/realtime-client.ts';
import { uniqueWord } from './conversation.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

const V1 = '${SLUICE_SANDBOX_URL}/azure/openai/v1';
const ISSUER = { issuer: 'https://oidc.example/cluster', subject: 'system:serviceaccount:default:sluice' };

let dir = '';
let stack: TextStack;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-azure-'));
  const { key, cert } = selfSigned('rsa');
  const platform = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tokenFile = path.join(dir, 'token');
  const claims = { iss: ISSUER.issuer, sub: ISSUER.subject, aud: 'api://AzureADTokenExchange' };
  await writeFile(tokenFile, jsonWebToken({ ...claims, exp: Math.floor(Date.now() / 1_000) + 3_600 }, platform));
  const entra = { tenant_id: 'contoso', authority_host: '${SLUICE_SANDBOX_URL}' };
  const secret = (client_id: string, client_secret = 'sk-sandbox') => ({
    identity: { type: 'azure-client-secret', ...entra, client_id, client_secret },
  });
  const managed = { type: 'azure-managed-identity', endpoint: '${SLUICE_SANDBOX_URL}' };
  const chat = { kind: 'chat-completions', base_url: V1 };
  const upstreams = {
    keyed: { ...chat, headers: { 'api-key': 'sk-sandbox' } },
    bearer: { ...chat, api_key: 'sk-sandbox' },
    secret: { kind: 'responses', base_url: V1, ...secret('app-secret') },
    certificate: {
      kind: 'messages',
      base_url: '${SLUICE_SANDBOX_URL}/azure/anthropic',
      identity: { type: 'azure-certificate', ...entra, client_id: 'app-cert', certificate: key + cert },
    },
    workload: {
      ...chat,
      identity: { type: 'azure-workload-identity', ...entra, client_id: 'app-workload', token_file: tokenFile },
    },
    managed: { ...chat, identity: managed },
    early: { ...chat, ...secret('app-early') },
    pool: {
      ...chat,
      credentials: [
        { name: 'wrong', ...secret('app-wrong', 'sk-wrong'), weight: 1_000 },
        { name: 'right', ...secret('app-right'), weight: 1 },
      ],
    },
  };
  stack = await startTextStack({
    upstreams,
    models: Object.keys(upstreams).map((upstream) => ({
      id: upstream,
      routes: [{ upstream, model: 'my-deployment' }],
    })),
  });
  const publicKey = platform.publicKey.export({ type: 'spki', format: 'pem' });
  await control({ certificate: cert, federation: { ...ISSUER, publicKey } });
});
afterAll(async () => {
  await stack.close();
  await rm(dir, { recursive: true });
});

function jsonWebToken(claims: object, { privateKey }: ReturnType<typeof generateKeyPairSync>): string {
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

async function control(change: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${stack.sandboxUrl}/_sandbox/entra`, { method: 'POST', headers, body: JSON.stringify(change) });
}

async function tokenRequests(): Promise<number> {
  const response = await fetch(`${stack.sandboxUrl}/_sandbox/entra`);
  const { requests } = (await response.json()) as { requests: string[] };
  return requests.length;
}

const openai = () => new OpenAI({ baseURL: `${stack.origin}/v1`, apiKey: KEY, maxRetries: 0 });

async function say(model: string, text: string): Promise<unknown> {
  try {
    const reply = await openai().chat.completions.create({ model, messages: [{ role: 'user', content: text }] });
    return reply.choices[0]?.message.content;
  } catch (error) {
    return error instanceof APIError ? [error.status, error.code] : error;
  }
}

describe('Azure', () => {
  it.each(['keyed', 'bearer', 'secret', 'certificate', 'workload', 'managed'])(
    'serves an upstream with the credential: %s',
    async (model) => {
      const word = uniqueWord();
      expect(await say(model, word)).toBe(`You said: ${word}`);
      expect((await stack.seen(word)).map(({ status }) => status)).toEqual([200]);
    },
  );

  it('requests one token for many concurrent requests', async () => {
    const before = await tokenRequests();
    await control({ revoke: true });
    const words = Array.from({ length: 20 }, uniqueWord);
    const replies = await Promise.all(words.map((word) => say('secret', word)));
    expect(replies).toEqual(words.map((word) => `You said: ${word}`));
    expect((await tokenRequests()) - before).toBe(1);
  });

  it('replaces a token that Azure rejects early, also for streams, embeddings, and realtime sessions', async () => {
    await say('early', 'hello');
    await control({ revoke: true });
    const words = await openai().chat.completions.create({
      model: 'early',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    });
    let text = '';
    for await (const chunk of words) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('You said: hello');
    await control({ revoke: true });
    const { data } = await openai().embeddings.create({ model: 'early', input: 'hello' });
    expect(data[0]?.embedding.length).toBeGreaterThan(10);
    await control({ revoke: true });
    const url = `${stack.origin.replace('http', 'ws')}/v1/realtime?model=early`;
    const session = await openRealtime(url, { headers: { authorization: `Bearer ${KEY}` } });
    await session.event('session.created');
    session.socket.close();
  });

  it('reports that it has no token, and recovers', async () => {
    await control({ revoke: true, failures: 10 });
    expect(await say('early', 'hello')).toEqual([502, 'provider_auth']);
    await control({ failures: 0 });
    await expect.poll(() => say('early', 'hello')).toBe('You said: hello');
  });

  it('uses another credential of a pool if one gets no token', async () => {
    expect(await say('pool', 'hello')).toBe('You said: hello');
  });
});
