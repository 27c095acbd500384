import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { GenerateVideosOperation, GoogleGenAI, type GoogleGenAIOptions } from '@google/genai';
import { GoogleAuth } from 'google-auth-library';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const PLACE = { project: 'my-project', location: 'us-central1' };
const SCOPES = 'https://www.googleapis.com/auth/cloud-platform';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 50 });
});
afterAll(() => sandbox.close());

type Credentials = NonNullable<NonNullable<GoogleGenAIOptions['googleAuthOptions']>['credentials']>;

/** The credentials of a workload, which exchanges a token of its own provider. */
async function workload(query = ''): Promise<Credentials> {
  const response = await fetch(`${sandbox.url}/vertex/tokens/workload-identity.json${query}`);
  return (await response.json()) as Credentials;
}

async function google(more: GoogleGenAIOptions = PLACE, credentials?: Credentials): Promise<GoogleGenAI> {
  return new GoogleGenAI({
    vertexai: true,
    httpOptions: { baseUrl: `${sandbox.url}/vertex` },
    googleAuthOptions: { credentials: credentials ?? (await workload()) },
    ...more,
  });
}

const express = (apiKey: string) => google({ apiKey, googleAuthOptions: {} });

const message = (content: string) => ({
  model: 'claude-sonnet-4-5@20250929',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content }],
});

async function claude(): Promise<AnthropicVertex> {
  const googleAuth = new GoogleAuth({ scopes: SCOPES, credentials: await workload() });
  const baseURL = `${sandbox.url}/vertex/v1`;
  return new AnthropicVertex({ baseURL, region: 'global', projectId: 'my-project', googleAuth, maxRetries: 0 });
}

describe('@google/genai on Vertex AI', () => {
  it('generates, streams, and counts', async () => {
    const { models } = await google();
    const request = { model: 'gemini-2.5-flash', contents: 'one two three' };
    expect((await models.generateContent(request)).text).toBe('You said: one two three');
    let streamed = '';
    for await (const { text } of await models.generateContentStream(request)) streamed += text;
    expect(streamed).toBe('You said: one two three');
    expect((await models.countTokens(request)).totalTokens).toBe(3);
  });

  it.each(['text-embedding-005', 'gemini-embedding-001', 'gemini-embedding-2'])('embeds with %s', async (model) => {
    const { models } = await google();
    const { embeddings } = await models.embedContent({
      model,
      contents: 'a kite',
      config: { outputDimensionality: 8 },
    });
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([8]);
    if (model !== 'text-embedding-005') return;
    const many = await models.embedContent({ model, contents: ['a', 'b'], config: { taskType: 'CLUSTERING' } });
    expect(many.embeddings).toHaveLength(2);
  });

  it('sends an API key in express mode', async () => {
    const { models } = await express('sk-sandbox');
    const request = { model: 'gemini-2.5-flash', contents: 'hi' };
    expect((await models.generateContent(request)).text).toBe('You said: hi');
    const wrong = await express('wrong');
    await expect(wrong.models.generateContent(request)).rejects.toMatchObject({ status: 400 });
  });

  it('uses the metadata server', async () => {
    vi.stubEnv('GCE_METADATA_HOST', new URL(sandbox.url).host);
    vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present');
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '');
    vi.stubEnv('HOME', '/nonexistent');
    const { models } = await google({ ...PLACE, googleAuthOptions: {} });
    expect((await models.generateContent({ model: 'gemini-2.5-flash', contents: 'hi' })).text).toBe('You said: hi');
    vi.unstubAllEnvs();
  });

  it.each([undefined, 'gs://bucket/folder'])('generates a video (output %s)', async (outputGcsUri) => {
    const ai = await google();
    let operation = await ai.models.generateVideos({
      model: 'veo-3.1-generate-001',
      source: { prompt: 'a kite' },
      config: { durationSeconds: 4, generateAudio: false, ...(outputGcsUri !== undefined && { outputGcsUri }) },
    });
    expect(operation).toBeInstanceOf(GenerateVideosOperation);
    while (operation.done !== true) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      operation = await ai.operations.getVideosOperation({ operation });
    }
    const video = operation.response?.generatedVideos?.[0]?.video;
    if (outputGcsUri === undefined) {
      expect(Buffer.from(video?.videoBytes ?? '', 'base64').toString('latin1', 4, 8)).toBe('ftyp');
    } else expect(video?.uri).toMatch(/^gs:\/\/bucket\/folder\/[0-9a-f]{24}\/sample_0\.mp4$/);
  });

  it('is refused with a token that expired early', async () => {
    const { models } = await google(PLACE, await workload('?life=0'));
    await expect(models.generateContent({ model: 'gemini-2.5-flash', contents: 'hi' })).rejects.toMatchObject({
      status: 401,
    });
  });
});

describe('@anthropic-ai/vertex-sdk', () => {
  it('creates, streams, and counts', async () => {
    const { messages } = await claude();
    const created = await messages.create(message('one two three'));
    expect(created.content).toEqual([{ type: 'text', text: 'You said: one two three', citations: null }]);
    const stream = messages.stream(message('one two three'));
    expect((await stream.finalMessage()).content).toEqual(created.content);
    const { max_tokens: _max, ...counted } = message('one two three');
    expect((await messages.countTokens(counted)).input_tokens).toBe(3);
  });

  it.each([
    ['[429]', 429],
    ['[overloaded]', 529],
    ['[401]', 401],
  ])('reads the error of %s', async (words, status) => {
    const { messages } = await claude();
    await expect(messages.create(message(words))).rejects.toMatchObject({ status });
  });
});
