import type { VideoRequest } from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { defineVendor, kindTables, MANIFESTS, type VideoModel } from '@sluice/vendors';
import { expect, it } from 'vitest';
import { readBody, sendJson, startServer } from '../test/local-server.ts';
import { buildUpstreams } from './build-upstreams.ts';
import { apiKeyOf } from './media/api-key.ts';
import { createMediaUpstream } from './media/create-media-upstream.ts';
import type { MediaWire } from './media/media-wire.ts';
import { planFrame, planVideo } from './media/plan/plan.ts';
import { UPSTREAM_REGISTRY } from './registry.ts';
import { defineUpstream } from './contract/upstream.ts';

// Represents `packages/vendors/src/acme`.
const manifest = defineVendor({
  kind: 'acme',
  capabilities: ['video'],
  credentials: [['api_key']],
  sandboxPath: '/acme',
  vendors: [
    {
      upstreams: { acme: { kind: 'acme', base_url: 'https://api.acme.example', api_key: '${ACME_KEY}' } },
      models: [{ id: 'acme-*', routes: [{ upstream: 'acme', model: 'acme-*' }] }],
    },
  ],
});
const model: VideoModel = {
  maxPrompt: 20,
  images: {},
  optionalFields: ['seed'],
  seconds: [4, 8],
  defaultSeconds: 4,
  aspectRatios: ['16:9', '9:16'],
  resolutions: ['720p'],
};

// Represents `packages/upstreams/src/acme`.
const wire: MediaWire<VideoRequest> = {
  plan: (_name, request, report) => {
    const plan = planVideo(model, request, report);
    return {
      seconds: plan.seconds,
      body: { ...plan.fields, length: plan.duration, ...planFrame(plan, request, report) },
    };
  },
  submission: ({ request }, plan) => ({ method: 'POST', path: '/jobs', json: { text: request.prompt, ...plan } }),
  readSubmission: ({ body }) => ({ kind: 'accepted', upstreamId: String(Reflect.get(Object(body), 'job')) }),
  poll: ({ upstreamId }) => ({ method: 'GET', path: `/jobs/${upstreamId}` }),
  readPoll: ({ body }) => ({ kind: 'succeeded', outputs: [{ url: String(Reflect.get(Object(body), 'url')) }] }),
};
const acme = defineUpstream({
  kind: manifest.kind,
  build: (account, context) => ({
    video: createMediaUpstream(account, context, () => ({ authorization: `Bearer ${apiKeyOf(account)}` }), wire),
  }),
});

it('a new kind of a manifest and a factory is accepted by the configuration', () => {
  const tables = kindTables([...MANIFESTS, manifest]);
  expect(tables.kinds).toEqual([...MANIFESTS.map(({ kind }) => kind), 'acme']);
  expect([tables.capabilitiesOf('acme'), tables.credentialsOf('acme'), tables.sandboxPathOf('acme')]).toEqual([
    ['video'],
    [['api_key']],
    '/acme',
  ]);
  expect(tables.vendors.at(-1)?.upstreams).toHaveProperty('acme');
});

it('a new kind of a manifest and a factory generates a video', async () => {
  const bodies: unknown[] = [];
  await using vendor = await startServer(async (request, response) => {
    if (request.url === '/clip.mp4') return response.end('movie');
    if (request.method === 'GET') return sendJson(response, 200, { url: `${vendor.origin}/clip.mp4` });
    bodies.push(JSON.parse((await readBody(request)).toString()));
    return sendJson(response, 200, { job: 'j1' });
  });
  const upstreams = buildUpstreams(
    {
      upstreams: { mine: { kind: 'acme', base_url: vendor.origin, api_key: 'k' } },
      timeouts: { submitMs: 5000, pollMs: 5000, downloadIdleMs: 5000 },
      limits: { downloadBytes: 100, inputBytes: 100 },
      allow: [],
      logger: createLogger({ level: 'silent', name: 'test' }),
    },
    [...UPSTREAM_REGISTRY, acme],
  );
  const video = upstreams.accounts.get('mine')?.video;
  if (!video) throw new Error('no video');
  const request: VideoRequest = {
    kind: 'video',
    prompt: 'a kite',
    seconds: '5',
    size: '720x1280',
    fps: 24,
    images: [],
  };
  const losses: string[] = [];
  expect(video.review('acme-1', request, ({ field, how }) => losses.push(`${field} ${how}`))).toEqual({ seconds: '4' });
  expect(losses).toEqual(['fps dropped', 'seconds clamped', 'size replaced']);

  const signal = AbortSignal.timeout(10_000);
  const submission = { taskId: 't', reference: 'r', model: 'acme-1', request, images: [], submittedAt: 0 };
  expect(await video.submit(submission, signal)).toEqual({ kind: 'accepted', upstreamId: 'j1' });
  expect(bodies).toEqual([
    { text: 'a kite', seconds: '4', body: { length: 4, aspectRatio: '9:16', resolution: '720p' } },
  ]);
  const job = { taskId: 't', model: 'acme-1', baseUrl: vendor.origin, upstreamId: 'j1', acceptedAt: 0 };
  const polled = await video.poll(job, signal);
  expect(polled).toEqual({ kind: 'succeeded', outputs: [{ url: `${vendor.origin}/clip.mp4` }] });
  const opened = await video.openContent(job, { url: `${vendor.origin}/clip.mp4`, index: 0 }, signal);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.body) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('movie');
  await upstreams.close();
});
