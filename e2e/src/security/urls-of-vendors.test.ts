import { type LoopbackTrap, startLoopbackTrap, TRAP_SECRET } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { RecordingClient } from '../recording-client.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { IMAGE_KINDS, VENDOR_KINDS } from '../media/vendor-kinds.ts';
import { untilEnded, videoClients } from '../media/video-clients.ts';
import { KEY, PATIENT_TIMEOUTS, type Stack } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { isJson, moveUrls, startVendorFront, type VendorResponse, type VendorFront } from './vendor-front.ts';

const ADMIN_KEY = 'an admin key for results';
/** A path that is in every URL to an internal address. */
const INNER = 'inner-path-of-the-vendor';
/** Error message for a file at an internal address. */
const REFUSAL = /^The URL (?:does not resolve to a public address|is not a plain HTTP or HTTPS URL)\.?$/;

let trap: LoopbackTrap;
let front: VendorFront;
let receiver: Receiver;
let stack: Stack;
let http: RecordingClient;
/** URLs of internal addresses. `innerUrl` returns them in turn and counts its calls in `returned`. */
let innerUrls: string[];
let returned = 0;
beforeAll(async () => {
  [trap, receiver] = await Promise.all([startLoopbackTrap(), startReceiver()]);
  front = await startVendorFront(() => stack.sandboxUrl);
  stack = await startMediaStack({
    only: 'sandbox',
    vendorFront: () => Promise.resolve(front.origin),
    tasks: { retry_max_ms: 200 },
    config: {
      timeouts: PATIENT_TIMEOUTS,
      log: { level: 'trace' },
      webhooks: { allow: [receiver.origin], poll_ms: 50 },
    },
  });
  await Promise.all([stack.startApi({ SLUICE_ADMIN_KEY: ADMIN_KEY }), stack.startWorker()]);
  http = new RecordingClient(stack.origin, KEY);
  innerUrls = [
    ...['127.0.0.1', 'localhost', 'inner.localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'].map(
      (host) => `http://${host}:${trap.port}/${INNER}`,
    ),
    `http://user:password@127.0.0.1:${trap.port}/${INNER}`,
    `http://169.254.169.254/${INNER}`,
    // The host is allowed, but the port is not.
    `${stack.origin}/metrics?${INNER}`,
  ];
}, 120_000);
afterAll(async () => {
  await stack.close();
  for (const one of [front, receiver, trap]) one.close();
});
afterEach(() => {
  front.rewrite = (response) => response;
  expect(trap.connections()).toBe(0);
});

const innerUrl = (): string => innerUrls[returned++ % innerUrls.length] ?? '';

interface Outcome {
  name: string;
  state: string;
  code: unknown;
  message: unknown;
}

const field = (value: unknown, name: string): unknown => (value as Record<string, unknown> | undefined)?.[name];

/** Creates a video, reads it from all endpoints, and returns its outcome. */
async function createVideo(kind: string): Promise<Outcome> {
  const model = `video-${kind}`;
  const clients = videoClients(http);
  const [client] = clients;
  if (!client) throw new Error('There are four clients.');
  const response = await http.fetch('/v1/videos', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: `a kite ${kind}`, seconds: '5', callback_url: `${receiver.origin}/${kind}` }),
  });
  const { id } = (await response.json()) as { id: string }; // The cast is safe because a created video has an id.
  const seen = await untilEnded(client, id, model, 90_000);
  for (const other of clients) await other.retrieve(id, model);
  for (const at of ['content', 'events']) await http.fetch(`/v1/videos/${id}/${at}`);
  const error = field(seen.body, 'error');
  return { name: kind, state: seen.state, code: field(error, 'code'), message: field(error, 'message') };
}

/** Requests images and waits for them. */
async function createImages(kind: string): Promise<Outcome> {
  const response = await http.fetch('/v1/images/generations', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: `image-${kind}`, prompt: `a kite ${kind}`, response_format: 'url' }),
  });
  const error = field(await response.json(), 'error');
  const state = response.ok ? 'completed' : `failed with ${response.status}`;
  return { name: `images of ${kind}`, state, code: field(error, 'code'), message: field(error, 'message') };
}

const VIDEO_KINDS = VENDOR_KINDS.map(({ kind }) => kind);
/** OpenAI serves a video from its own API, and Bedrock writes it to the operator's bucket, so there is no URL to replace. */
const WITHOUT_URL = ['videos', 'bedrock'];
/** Gemini and Bedrock return image data in their responses, so there is no URL to replace. */
const INLINE_ONLY: ReadonlySet<string> = new Set(['generative-content', 'bedrock']);
const IMAGE_VENDORS = [...VENDOR_KINDS, ...IMAGE_KINDS]
  .filter(({ kind, image }) => image !== undefined && !INLINE_ONLY.has(kind))
  .map(({ kind }) => kind);
/** The gateway requests image data from OpenAI, but the vendor may return a URL instead. */
const INLINE = 'chat-completions';
const withUrls = (response: VendorResponse): VendorResponse => {
  if (!isJson(response)) return response;
  const text = response.body.toString().replaceAll(/"b64_json":"[^"]*"/g, () => `"url":"${innerUrl()}"`);
  return { ...response, body: Buffer.from(text) };
};

function expectRefused(outcomes: readonly Outcome[], isVideo: boolean): void {
  for (const outcome of outcomes) {
    const state = isVideo ? 'failed' : 'failed with 502';
    expect(outcome).toEqual({
      name: outcome.name,
      state,
      code: 'provider_error',
      message: expect.stringMatching(REFUSAL),
    });
  }
}

describe('a vendor whose finished file', () => {
  it('has an internal URL: the worker fetches nothing, and the task ends as provider_error', async () => {
    front.rewrite = (response) => withUrls(moveUrls(response, front.origin, innerUrl));
    const [videos, images] = await Promise.all([
      Promise.all(VIDEO_KINDS.map(createVideo)),
      Promise.all(IMAGE_VENDORS.map(createImages)),
    ]);
    expect(videos.filter(({ state }) => state === 'completed').map(({ name }) => name)).toEqual(WITHOUT_URL);
    expectRefused(
      videos.filter(({ name }) => !WITHOUT_URL.includes(name)),
      true,
    );
    expectRefused(images, false);
    expect(returned).toBeGreaterThan(innerUrls.length);
  }, 180_000);

  it('redirects to an internal address: the redirect is not followed, and the task ends as provider_error', async () => {
    let redirected = 0;
    front.rewrite = (response) => {
      if (!/^(?:video|image)\//.test(response.headers['content-type'] ?? '')) return response;
      redirected += 1;
      return { status: 302, headers: { location: innerUrl() }, body: Buffer.alloc(0) };
    };
    const [videos, images] = await Promise.all([
      Promise.all(VIDEO_KINDS.map(createVideo)),
      Promise.all(IMAGE_VENDORS.filter((kind) => kind !== INLINE).map(createImages)),
    ]);
    expectRefused(videos, true);
    expectRefused(images, false);
    // Downloads are retried, so each redirect is sent more than three times on average.
    expect(redirected).toBeGreaterThan((videos.length + images.length) * 3);
  }, 180_000);

  it('is announced by a call that redirects to an internal address: the redirect is not followed, and the call is retried', async () => {
    const redirected = new Set<string>();
    front.rewrite = (response, { method, path: at }) => {
      if (method !== 'GET' || !isJson(response) || redirected.has(at)) return response;
      redirected.add(at);
      return { status: 307, headers: { location: innerUrl() }, body: Buffer.alloc(0) };
    };
    const videos = await Promise.all(VIDEO_KINDS.map(createVideo));
    expect(videos.filter(({ state }) => state !== 'completed')).toEqual([]);
    expect(redirected.size).toBeGreaterThanOrEqual(VIDEO_KINDS.length);
  }, 180_000);

  it('has a file URL: the task ends as provider_error', async () => {
    front.rewrite = (response) => moveUrls(response, front.origin, () => 'file:///etc/passwd');
    expectRefused([await createVideo('dashscope')], true);
  }, 120_000);

  it('has an internal URL: no response, event, webhook, timeline, or log contains it', async () => {
    // A webhook has reported every video. A slow delivery is repeated with the same id.
    const reported = () => new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id']));
    await expect.poll(() => reported().size).toBe(VIDEO_KINDS.length * 3 + 1);
    const admin = new Client(stack.origin, ADMIN_KEY);
    // The cast is safe because every listed task has an id.
    const tasks = (await (await http.fetch('/v1/videos?limit=100')).json()) as { data: { id: string }[] };
    const timelines = await Promise.all(
      tasks.data.map(async ({ id }) => (await admin.fetch(`/admin/v1/tasks/${id}`)).text()),
    );
    const texts = {
      responses: http.recorded,
      webhooks: receiver.deliveries.map(({ body, headers }) => JSON.stringify(headers) + body).join('\n'),
      timelines: timelines.join('\n'),
      logs: await stack.logs(),
    };
    expect(texts.webhooks).toContain('video.failed');
    expect(texts.timelines).toContain('The URL does not resolve to a public address');
    expect(texts.logs).toContain('forbidden_address');
    for (const [source, text] of Object.entries(texts)) {
      for (const secret of [INNER, TRAP_SECRET, `:${trap.port}`, 'etc/passwd', '169.254.169.254', 'inner.localhost']) {
        const at = text.indexOf(secret);
        expect(at === -1 ? '' : `${source}: ${text.slice(Math.max(0, at - 200), at + 100)}`).toBe('');
      }
    }
  }, 60_000);
});
