import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { RecordingClient } from '../recording-client.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { ACCESS_KEY, IMAGE_KINDS, VENDOR_KINDS } from '../media/vendor-kinds.ts';
import { untilEnded, type VideoClient, videoClients } from '../media/video-clients.ts';
import { KEY, PATIENT_TIMEOUTS, type Stack, VENDOR_KEY } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import {
  isJson,
  moveUrls,
  type SeenRequest,
  startVendorFront,
  type VendorResponse,
  type VendorFront,
} from './vendor-front.ts';

const ADMIN_KEY = 'an admin key for credentials';
/** Value of a header that the operator configures for the vendor. It does not look like a secret. */
const TEAM = 'our-team-of-kites';
const IMAGE = `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==`;

const CLIENT_HEADERS = {
  'x-api-key': 'client-secret-x-api-key',
  'api-key': 'client-secret-api-key',
  'x-goog-api-key': 'client-secret-goog',
  cookie: 'session=client-secret-cookie',
  'proxy-authorization': 'Basic client-secret-proxy',
  'x-forwarded-for': '203.0.113.77',
  'openai-organization': 'client-secret-organization',
  'user-agent': 'client-secret-agent',
  'x-team-secret': 'client-secret-team',
  'x-date': 'client-secret-date',
  'x-key-id': 'client-secret-id',
  referer: 'https://client-secret.example/',
};
const CLIENT_SECRET = /client-secret|203\.0\.113\.77/i;

/** A client that sends these headers with every request, and its key in the query. */
class IdentifyingClient extends RecordingClient {
  override fetch(at: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(CLIENT_HEADERS)) headers.set(name, value);
    return super.fetch(`${at}${at.includes('?') ? '&' : '?'}key=${KEY}&token=client-secret-query`, {
      ...init,
      headers,
    });
  }
}

/** Proxies in front of the vendor's API and of its file server. */
let front: VendorFront;
let files: VendorFront;
let receiver: Receiver;
let stack: Stack;
let http: IdentifyingClient;
beforeAll(async () => {
  receiver = await startReceiver();
  [front, files] = (await Promise.all([0, 1].map(() => startVendorFront(() => stack.sandboxUrl)))) as [
    VendorFront,
    VendorFront,
  ];
  stack = await startMediaStack({
    only: 'sandbox',
    vendorFront: () => Promise.resolve(front.origin),
    kinds: Object.fromEntries(
      [...VENDOR_KINDS, ...IMAGE_KINDS].map(({ kind }) => [kind, { headers: { 'x-team-secret': TEAM } }]),
    ),
    config: {
      timeouts: PATIENT_TIMEOUTS,
      log: { level: 'trace' },
      download: { allow: [files.origin] },
      webhooks: { allow: [receiver.origin], poll_ms: 50 },
    },
  });
  await Promise.all([stack.startApi({ SLUICE_ADMIN_KEY: ADMIN_KEY }), stack.startWorker()]);
  http = new IdentifyingClient(stack.origin, KEY);
}, 120_000);
afterAll(async () => {
  await stack.close();
  for (const one of [front, files, receiver]) one.close();
});

/** Returns a client for one of the protocols, selected by index. */
function clientAt(index: number): VideoClient {
  const clients = videoClients(http);
  const client = clients[index % clients.length];
  if (!client) throw new Error('There are four clients.');
  return client;
}

/** Creates a video and reads it from all endpoints. @returns how it ended and its last response */
async function createVideo(index: number, kind: string, prompt: string, image?: string) {
  const client = clientAt(index);
  const model = `video-${kind}`;
  const { id, body } = await client.create(model, prompt, image === undefined ? {} : { image });
  expect(id, `${kind} ${client.name} ${JSON.stringify(body)}`).not.toBe('');
  const { state, body: seen } = await untilEnded(client, id, model, 90_000);
  for (const other of videoClients(http)) await other.retrieve(id, model);
  for (const at of ['content', 'events']) await http.fetch(`/v1/videos/${id}/${at}`);
  return { kind, state, text: JSON.stringify(seen) };
}

/** @returns the status of the response */
async function createImages(kind: string, prompt: string): Promise<number> {
  const response = await http.fetch('/v1/images/generations', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: `image-${kind}`, prompt, callback_url: `${receiver.origin}/${kind}` }),
  });
  return response.status;
}

const IMAGE_VENDORS = [...VENDOR_KINDS, ...IMAGE_KINDS].filter(({ image }) => image !== undefined);

const textOf = ({ path: at, rawHeaders, body }: SeenRequest): string =>
  `${at} ${JSON.stringify(rawHeaders)} ${body.toString()}`;

/** Names of fields that contain error messages. */
const MESSAGE_FIELD = /^(?:.*(?:message|msg|error|err|reason|detail|descri|fail).*|title)$/i;

/** Adds the received credentials to all error messages. A careless vendor might do this. */
function withEcho(response: VendorResponse, request: SeenRequest): VendorResponse {
  if (!isJson(response)) return response;
  const echo = ` You sent ${VENDOR_KEY} and ${ACCESS_KEY} as ${request.path} ${JSON.stringify(request.rawHeaders)}`;
  const add = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return MESSAGE_FIELD.test(name) && value.includes(' ') ? value + echo : value;
    if (Array.isArray(value)) return value.map((item) => add(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, add(inner, key)]));
  };
  const body = JSON.stringify(add(JSON.parse(response.body.toString()), ''));
  if (body.includes('You sent')) echoes += 1;
  return { ...response, body: Buffer.from(body) };
}
let echoes = 0;

/** Returns all credentials that the vendor received: keys, tokens, and signatures. */
function credentialsSent(): string[] {
  const values = front.seen.flatMap(({ rawHeaders }) =>
    rawHeaders.filter((_, at) => at % 2 === 1 && /^(?:authorization|x-.*key.*)$/i.test(rawHeaders[at - 1] ?? '')),
  );
  const parts = values.flatMap((value) => value.split(/[\s,=]+/)).filter((part) => part.length >= 20);
  return [...new Set([VENDOR_KEY, ACCESS_KEY, TEAM, new URL(front.origin).host, ...parts])];
}

describe('the credentials', () => {
  it('of a client never reach a vendor; a vendor’s credentials reach only its own origin', async () => {
    front.rewrite = (response) =>
      moveUrls(response, `${front.origin}/_files/`, (url) => url.replace(front.origin, files.origin));
    const [videos, statuses] = await Promise.all([
      Promise.all(VENDOR_KINDS.map(({ kind }, index) => createVideo(index, kind, `a kite ${kind}`))),
      Promise.all(IMAGE_VENDORS.map(({ kind }) => createImages(kind, `a kite ${kind}`))),
      createVideo(0, 'videos', 'a kite of an image', IMAGE),
    ]);
    expect(new Set(videos.map(({ state }) => state))).toEqual(new Set(['completed']));
    expect(new Set(statuses)).toEqual(new Set([200]));

    expect(front.seen.length).toBeGreaterThan(40);
    for (const request of [...front.seen, ...files.seen]) {
      const sent = textOf(request);
      expect(sent).not.toMatch(CLIENT_SECRET);
      expect(sent).not.toContain(KEY);
      expect(sent).not.toContain('x-forwarded');
    }
    // Most vendors serve their files from a second origin.
    expect(files.seen.length).toBeGreaterThan(10);
    const credentials = credentialsSent();
    expect(credentials.length).toBeGreaterThan(8);
    for (const request of files.seen) {
      const sent = textOf(request);
      expect(credentials.filter((secret) => sent.includes(secret))).toEqual([]);
      expect(sent.toLowerCase()).not.toMatch(/authorization|api-key|team-secret|cookie/);
    }
  }, 180_000);

  it('of a vendor never reach a client, even if the vendor repeats them in its errors', async () => {
    front.rewrite = withEcho;
    const webhook = await new Client(stack.origin, KEY).fetch('/v1/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${receiver.origin}/all` }),
    });
    expect(webhook.status).toBe(200);
    const directives = ['[fail]', '[moderation]', '[refused]', '[balance]'];
    const paramsList = directives.flatMap((directive) => VENDOR_KINDS.map(({ kind }) => ({ directive, kind })));
    const [videos] = await Promise.all([
      Promise.all(
        paramsList.map(({ directive, kind }, index) => createVideo(index, kind, `a kite ${directive} ${kind}`)),
      ),
      Promise.all(
        IMAGE_VENDORS.flatMap(({ kind }) =>
          ['[moderation]', '[refused]'].map((directive) => createImages(kind, `a kite ${directive}`)),
        ),
      ),
    ]);
    expect(new Set(videos.map(({ state }) => state))).toEqual(new Set(['failed']));
    // The gateway relays error messages of every upstream kind, but removes the credentials.
    const relayed = videos.filter(({ text }) => text.includes('You sent [hidden]')).map(({ kind }) => kind);
    expect(new Set(relayed)).toEqual(new Set(VENDOR_KINDS.map(({ kind }) => kind)));
    expect(echoes).toBeGreaterThan(videos.length);

    await expect.poll(() => receiver.at('/all').length).toBeGreaterThanOrEqual(videos.length);
    const admin = new Client(stack.origin, ADMIN_KEY);
    // The cast is safe because every listed video has an id.
    const { data } = (await (await http.fetch('/v1/videos?limit=100')).json()) as { data: { id: string }[] };
    const timelines = await Promise.all(
      data.map(async ({ id }) => {
        // Operators also see the vendor's origin.
        const { timeline } = (await (await admin.fetch(`/admin/v1/tasks/${id}`)).json()) as { timeline: unknown };
        return JSON.stringify(timeline);
      }),
    );
    const texts = {
      responses: http.recorded,
      webhooks: receiver.deliveries.map(({ headers, body }) => JSON.stringify(headers) + body).join('\n'),
      timelines: timelines.join('\n'),
      logs: await stack.logs(),
    };
    // The echoed message arrived, but without the secrets.
    for (const source of ['responses', 'webhooks', 'timelines'] as const)
      expect(texts[source]).toContain('You sent [hidden]');
    const credentials = credentialsSent();
    for (const [source, text] of Object.entries(texts)) {
      for (const secret of credentials) {
        const at = text.indexOf(secret);
        expect(at === -1 ? '' : `${source}: ${text.slice(Math.max(0, at - 300), at + 100)}`).toBe('');
      }
    }
    expect(texts.logs).not.toMatch(CLIENT_SECRET);
  }, 240_000);
});
