import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { RecordingClient } from '../recording-client.ts';
import { KEY, type Stack, VENDOR_KEY } from '../stack.ts';
import { startMediaStack } from './media-stack.ts';
import { untilEnded, videoClients } from './video-clients.ts';
import { ACCESS_KEY, IMAGE_KINDS, VENDOR_KINDS } from './vendor-kinds.ts';

const DIRECTIVES = ['', '[fail]', '[moderation]', '[refused]', '[garbage]', '[500]', '[lost-reply]', '[expire-once]'];
const ADMIN_KEY = 'an admin key for leaks';
const SECRET_PROMPT = 'the-prompt-that-must-stay-private';

let stack: Stack;
beforeAll(async () => {
  stack = await startMediaStack({
    config: { log: { level: 'trace' } },
    tasks: { submit_unknown_ms: 3_000 },
    apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
  });
}, 60_000);
afterAll(() => stack.close());

/** Fetches a task's timeline from the admin API. */
async function timelineOf(id: string): Promise<unknown> {
  const response = await new Client(stack.origin, ADMIN_KEY).fetch(`/admin/v1/tasks/${id}`);
  // The cast is safe because every task has a timeline.
  return ((await response.json()) as { timeline: unknown }).timeline;
}

it('no response, log, or timeline contains a URL, host, id, or key of a vendor, for any protocol and vendor', async () => {
  const http = new RecordingClient(stack.origin, KEY);
  let timelines = '';
  const clients = videoClients(http);
  await Promise.all(
    VENDOR_KINDS.flatMap(({ kind }) =>
      DIRECTIVES.map(async (directive, i) => {
        const model = `video-${kind}`;
        const creator = clients[i % clients.length];
        if (!creator) throw new Error('There are four clients.');
        const { id } = await creator.create(model, `${SECRET_PROMPT} ${kind} ${directive}`);
        await untilEnded(creator, id, model, 60_000);
        for (const client of clients) await client.retrieve(id, model);
        await http.fetch(`/v1/videos/${id}/content`, { method: 'HEAD' });
        await http.fetch(`/v1/videos/${id}/events`);
        timelines += JSON.stringify(await timelineOf(id));
      }),
    ),
  );
  const images = [...VENDOR_KINDS, ...IMAGE_KINDS].filter(({ image }) => image !== undefined);
  await Promise.all(
    images.flatMap(({ kind }) =>
      ['', '[moderation]', '[garbage]', '[fail]'].map((directive) =>
        http.fetch('/v1/images/generations', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: `image-${kind}`, prompt: `${SECRET_PROMPT} ${kind} ${directive}` }),
        }),
      ),
    ),
  );
  for (const path of ['/v1/videos?limit=100', '/metrics', '/health/ready']) await http.fetch(path);

  const logs = await stack.logs();
  const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
  const vendorIds = submissions.flatMap(({ upstream_ids }) => upstream_ids);
  expect(vendorIds.length).toBeGreaterThan(VENDOR_KINDS.length * 4);
  const secrets = [VENDOR_KEY, ACCESS_KEY, new URL(stack.sandboxUrl).host, '/_files/', ...vendorIds];
  /** Returns the secrets that a text contains, with their context. */
  const leaks = (text: string) =>
    secrets.flatMap((secret) => {
      const at = text.indexOf(secret);
      return at === -1 ? [] : text.slice(Math.max(0, at - 300), at + 100);
    });
  expect(http.recorded).toContain('video_');
  expect(leaks(http.recorded)).toEqual([]);
  expect(logs).toContain('submission outcome unknown');
  expect(leaks(logs)).toEqual([]);
  expect(timelines).toContain('"outcome":"accepted"');
  expect(leaks(timelines)).toEqual([]);
  expect(timelines).not.toContain(SECRET_PROMPT);
  for (const secret of [KEY, SECRET_PROMPT]) expect(logs).not.toContain(secret);
}, 150_000);
