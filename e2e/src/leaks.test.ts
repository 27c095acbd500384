import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { openRedis } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from './client.ts';
import { HistoryChecker } from './history.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from './stack.ts';

const DIRECTIVES = ['', '[fail]', '[moderation]', '[429]', '[500]', '[garbage]', '[cut]', '[lost-reply]', '[expire]'];
const SECRET_PROMPT = 'the-prompt-that-must-stay-private';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ config: { log: { level: 'trace' } } });
});
afterAll(() => stack.close());

it("no response contains a vendor's URL, id, or key, and no log contains a key or prompt", async () => {
  const client = new Client(stack.origin, KEY);
  const videos = await Promise.all(
    DIRECTIVES.map((directive, i) => client.create(`${SECRET_PROMPT} ${directive}`, `leak-${i}`)),
  );
  const findings = await new HistoryChecker(client).watch(
    videos.map(({ id }) => id),
    90_000,
  );
  expect(findings.open).toEqual([]);

  let responses = '';
  for (const at of ['/v1/videos?limit=100', '/metrics', '/openapi.json', '/health/ready', '/nowhere']) {
    const response = await client.fetch(at);
    responses += JSON.stringify([...response.headers]) + (await response.text());
  }
  for (const { id } of videos) {
    for (const at of [`/v1/videos/${id}`, `/v1/videos/${id}/content`]) {
      const response = await client.fetch(at, { method: at.endsWith('content') ? 'HEAD' : 'GET' });
      responses += JSON.stringify([...response.headers]) + (await response.text());
    }
  }
  const logs = await stack.logs();
  expect(responses).toContain(videos[0]?.id);
  expect(logs).toContain('submission outcome unknown');

  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  const vendorIds = submissions.flatMap(({ upstream_ids }) => upstream_ids);
  expect(vendorIds.length).toBeGreaterThan(5);
  for (const secret of [VENDOR_KEY, new URL(stack.sandboxUrl).host, ...vendorIds]) {
    expect(responses).not.toContain(secret);
  }
  for (const secret of [VENDOR_KEY, KEY, SECRET_PROMPT, ...vendorIds]) expect(logs).not.toContain(secret);
}, 60_000);

it('Redis contains no media', async () => {
  const form = new FormData();
  form.set('prompt', 'with an image');
  const marker = 'MARKER-OF-THE-IMAGE';
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(marker.repeat(50))]);
  form.set('input_reference', new Blob([png], { type: 'image/png' }), 'x.png');
  const response = await new Client(stack.origin, KEY).fetch('/v1/videos', { method: 'POST', body: form });
  expect(response.status).toBe(200);

  const redis = openRedis(stack.env['REDIS_URL'] ?? '');
  for (const key of await redis.keys('*')) {
    const dump = await redis.dumpBuffer(key);
    expect(dump?.includes(marker) ?? false).toBe(false);
  }
  redis.disconnect();
  const files = await readdir(path.join(stack.dir, 'data', 'content', 'inputs'), { recursive: true });
  expect(files.length).toBeGreaterThan(0);
});
