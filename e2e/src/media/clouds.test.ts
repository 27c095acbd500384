import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxSubmissions } from '../client.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';

const veo = (url: string) => ({
  kind: 'veo',
  base_url: `${url}/vertex/v1/projects/p/locations/us-central1/publishers/google`,
  identity: { type: 'google-metadata' },
});
/** AWS rejects each credential of this role after its first use. */
const ROLE = 'arn:aws:iam::123456789012:role/expired';
const bedrock = (url: string) => ({
  kind: 'bedrock',
  base_url: `${url}/bedrock`,
  output_uri: 's3://my-bucket/videos',
  s3_endpoint: `${url}/s3`,
  identity: {
    type: 'aws-web-identity',
    role_arn: ROLE,
    token_file: '${SLUICE_TEST_TOKEN_FILE}',
    sts_endpoint: `${url}/aws/sts`,
  },
});
const route = (id: string, upstream: string, model: string) => ({ id, routes: [{ upstream, model }] });

let stack: Stack;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  stack = await startStack({
    only: 'sandbox',
    configFor: (url) => ({
      upstreams: {
        inline: veo(url),
        stored: { ...veo(url), output_uri: 'gs://bucket/folder' },
        bedrock: bedrock(url),
      },
      models: [
        ...['inline', 'stored'].map((id) => route(id, id, 'veo-3.1-generate-001')),
        route('nova', 'bedrock', 'amazon.nova-lite-v1:0'),
        route('canvas', 'bedrock', 'amazon.nova-canvas-v1:0'),
        route('reel', 'bedrock', 'amazon.nova-reel-v1:1'),
      ],
    }),
  });
  const tokenFile = path.join(stack.dir, 'token');
  await writeFile(tokenFile, VENDOR_KEY);
  env = { SLUICE_TEST_TOKEN_FILE: tokenFile };
  await Promise.all([stack.startApi(env), stack.startWorker(env)]);
}, 60_000);
afterAll(() => stack.close());

const openai = () => new OpenAI({ baseURL: stack.baseUrl, apiKey: KEY, maxRetries: 0 });

async function expectVideo(id: string, wire: string): Promise<void> {
  await expect.poll(async () => (await openai().videos.retrieve(id)).status).toBe('completed');
  const file = Buffer.from(await (await openai().videos.downloadContent(id)).arrayBuffer());
  expect(file.toString('latin1', 4, 8)).toBe('ftyp');
  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  expect(submissions.find(({ task }) => task === id)).toMatchObject({ wire, applied: 1 });
}

describe('Veo at Vertex AI', () => {
  it.each(['inline', 'stored'])('generates a video with an access token, and downloads it (%s)', async (model) => {
    const { id } = await openai().videos.create({ model, prompt: `a kite ${model}`, seconds: '4' });
    await expectVideo(id, 'vertex-veo');
  });
});

describe('Bedrock, with credentials that expire early', () => {
  it('serves chats, and replaces the credential of each', async () => {
    for (const content of ['hello', 'again']) {
      const reply = await openai().chat.completions.create({ model: 'nova', messages: [{ role: 'user', content }] });
      expect(reply.choices[0]?.message.content).toBe(`You said: ${content}`);
    }
  });

  it('generates images', async () => {
    const image = { model: 'canvas', prompt: 'a kite', n: 2, size: '512x512', response_format: 'b64_json' } as const;
    const { data = [] } = await openai().images.generate(image);
    const heads = data.map(({ b64_json = '' }) => Buffer.from(b64_json, 'base64').toString('latin1', 1, 4));
    expect(heads).toEqual(['PNG', 'PNG']);
  });

  it('finishes a video whose worker is killed between submission and result', async () => {
    const { id } = await openai().videos.create({ model: 'reel', prompt: 'a kite [slow:3]' });
    await expect.poll(async () => (await openai().videos.retrieve(id)).status).toBe('in_progress');
    await stack.workers[0]?.kill();
    await stack.startWorker(env);
    await expectVideo(id, 'bedrock');
  }, 60_000);
});
