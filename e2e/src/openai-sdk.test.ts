import { createServer, type IncomingMessage } from 'node:http';
import { TINY_PNG } from '@sluice/testkit';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxSubmissions } from './client.ts';
import { KEY, OTHER_KEY, type Stack, startStack } from './stack.ts';

let stack: Stack;
let client: OpenAI;
beforeAll(async () => {
  const routes = [{ upstream: 'vendor', model: 'sandbox-video' }];
  stack = await startStack({ config: { models: [{ id: 'test-video', routes, price: { video_second: 0.1 } }] } });
  client = new OpenAI({ baseURL: stack.baseUrl, apiKey: KEY });
});
afterAll(() => stack.close());

async function ended(id: string): Promise<OpenAI.Video> {
  for (;;) {
    const { data: video, response } = await client.videos.retrieve(id).withResponse();
    if (video.status === 'completed' || video.status === 'failed') return video;
    const hint = response.headers.get('openai-poll-after-ms');
    expect(Number(hint)).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, Math.min(Number(hint), 200)));
  }
}

describe('the official OpenAI SDK, unmodified', () => {
  it('creates, polls and downloads a video', async () => {
    const video = await client.videos.create({
      model: 'test-video',
      prompt: 'a red kite',
      seconds: '1' as '4',
    });
    expect(video).toMatchObject({ object: 'video', status: 'queued', progress: 0, seconds: '1', model: 'test-video' });
    expect(typeof video.created_at).toBe('number');
    expect(await ended(video.id)).toMatchObject({ status: 'completed', progress: 100, cost_usd: 0.1 });
    const content = await client.videos.downloadContent(video.id);
    expect(content.headers.get('content-type')).toBe('video/mp4');
    const bytes = Buffer.from(await content.arrayBuffer());
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    expect(bytes.byteLength).toBe(Number(content.headers.get('content-length')));
  });

  it('uploads a complete reference image to the vendor', async () => {
    const image = await toFile(TINY_PNG, 'pixel.png', { type: 'image/png' });
    const video = await client.videos.create({ prompt: 'the pixel moves', input_reference: image });
    expect((await ended(video.id)).status).toBe('completed');
    const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
    const inputs = submissions.find(({ task }) => task === video.id)?.inputs;
    expect(inputs).toMatchObject([{ field: 'input_reference', bytes: TINY_PNG.byteLength, mediaType: 'image/png' }]);
  });

  it('lists videos page by page, and deletes them', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await client.videos.create({ prompt: `list ${i}` })).id);
    const listed: string[] = [];
    for await (const video of client.videos.list({ limit: 2, order: 'asc' })) listed.push(video.id);
    expect(listed.slice(-3).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect(await client.videos.delete(id)).toMatchObject({ id, deleted: true });
    await expect(client.videos.retrieve(ids[0] ?? '')).rejects.toMatchObject({ status: 404, code: 'video_not_found' });
  });

  it('receives the status and the error code of a failed video', async () => {
    const video = await client.videos.create({ prompt: 'this will [fail]' });
    expect(await ended(video.id)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } });
    await expect(client.videos.downloadContent(video.id)).rejects.toMatchObject({ status: 404 });
  });

  it('throws typed errors for a wrong key, a video of another key, and an invalid request', async () => {
    const unauthorized = new OpenAI({ baseURL: stack.baseUrl, apiKey: 'sk-unknown-0000' });
    await expect(unauthorized.videos.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const video = await client.videos.create({ prompt: 'mine' });
    const other = new OpenAI({ baseURL: stack.baseUrl, apiKey: OTHER_KEY });
    await expect(other.videos.retrieve(video.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.videos.create({ prompt: '' })).rejects.toMatchObject({ status: 400, param: 'prompt' });
  });

  it('repeats a create whose response is lost, without a second task', async () => {
    const lossy = await losingFirstResponses(stack.origin, 2);
    const retrying = new OpenAI({ baseURL: `${lossy.origin}/v1`, apiKey: OTHER_KEY, maxRetries: 3 });
    const video = await retrying.videos.create({ prompt: 'response lost twice' });
    expect(lossy.requests()).toBe(3);
    const otherClient = new OpenAI({ baseURL: stack.baseUrl, apiKey: OTHER_KEY });
    const listed: string[] = [];
    for await (const { id } of otherClient.videos.list()) listed.push(id);
    expect(listed).toEqual([video.id]);
    await lossy.close();
  });
});

/** A proxy that forwards all requests but drops the first responses by closing their connections. */
async function losingFirstResponses(target: string, losses: number) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const isLost = requests <= losses;
    void (async () => {
      const reply = await forward(target, request);
      const body = await reply.text();
      if (isLost) request.socket.destroy();
      else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    requests: () => requests,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function forward(target: string, request: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  // The cast is safe because chunks are buffers unless an encoding is set.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const perConnection = new Set(['host', 'connection', 'transfer-encoding', 'content-length']);
  const headers = Object.entries(request.headers).filter(([name]) => !perConnection.has(name));
  return fetch(`${target}${request.url}`, {
    method: request.method,
    headers: headers as [string, string][], // The cast is safe because these clients send each header only once.
    body: Buffer.concat(chunks),
  });
}
