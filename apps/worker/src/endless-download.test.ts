import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@sluice/telemetry';
import { taskRig, type TaskRig, TINY_MP4, TINY_PNG } from '@sluice/testkit';
import { buildUpstreams, type Upstreams } from '@sluice/upstreams';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LIMIT = 200_000;

let server: Server;
let origin: string;
let downloads: number;
let upstreams: Upstreams;
let rig: TaskRig;

beforeEach(async () => {
  downloads = 0;
  // Sends a file that has no Content-Length and never ends.
  server = createServer((request, response) => {
    downloads += 1;
    const isImage = request.url === '/image.png';
    response.writeHead(200, { 'content-type': isImage ? 'image/png' : 'video/mp4' });
    const send = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', send).write(isImage ? TINY_PNG : TINY_MP4);
    send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast is safe because the server listens on TCP.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  upstreams = buildUpstreams({
    upstreams: { vendor: { kind: 'videos', base_url: `${origin}/v1`, api_key: 'sk-vendor' } },
    timeouts: { submitMs: 5_000, pollMs: 5_000, downloadIdleMs: 10_000 },
    // The same values as in `upstreamSettings`.
    limits: { downloadBytes: LIMIT + 1, inputBytes: LIMIT + 1 },
    allow: [origin],
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
});
afterEach(async () => {
  await rig.close();
  await upstreams.close();
  server.closeAllConnections();
  server.close();
});

describe('a file without an end', () => {
  it('ends its task at the size limit, and is not downloaded again', async () => {
    const { video } = upstreams.accounts.get('vendor') ?? {};
    rig = await taskRig({
      settings: { downloadBytes: LIMIT },
      script: {
        content: (job, output) =>
          video?.openContent({ ...job, baseUrl: `${origin}/v1` }, output, AbortSignal.timeout(60_000)),
      },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect(await rig.end(task)).toMatchObject({
      status: 'failed',
      error: { code: 'provider_error', message: 'The finished file exceeds 200000 bytes (`limits.download_bytes`).' },
    });
    expect(downloads).toBe(1);
  });

  it('is refused as an input image, and is not downloaded again', async () => {
    rig = await taskRig({ settings: { uploadBytes: LIMIT } });
    await rig.startWorker({ fetchInput: upstreams.fetchInput });
    const image = { role: 'first_frame', source: { kind: 'url', url: `${origin}/image.png` } } as const;
    const { task } = await rig.engine.submit(
      rig.params({ request: { kind: 'video', prompt: 'a kite', images: [image] } }),
    );
    expect(await rig.end(task)).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_request', message: 'The image at the URL exceeds 200000 bytes. Send a smaller image.' },
    });
    expect(downloads).toBe(1);
  });
});
