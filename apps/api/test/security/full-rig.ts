import { readdirSync, readlinkSync } from 'node:fs';
import { TINY_PNG } from '@sluice/testkit';
import { expect, vi } from 'vitest';
import { uploadLines } from '../batches/batches-rig.ts';
import { MODELS, vendorConfig } from '../vendor.ts';
import { type TextRig, textRig } from '../text-rig.ts';
import { type CreatedIds, DIRECT_MODELS } from './valid-bodies.ts';
import { type PermissiveVendor, permissiveVendor } from './permissive-vendor.ts';

/** Limits that a test can exceed without using much memory. */
export const LIMITS = { json_bytes: 128 * 1024, upload_bytes: 256 * 1024, header_bytes: 16 * 1024 };

export const ADMIN_KEY = 'sk-admin-of-the-rig';

/** The resources that a process currently holds. */
export interface OpenHandles {
  /** Open files, excluding sockets, pipes, and Node's own files. */
  files: string[];
  sockets: number;
}

/** An API that serves every endpoint, with a vendor that accepts everything. */
export interface FullRig extends TextRig {
  vendor: PermissiveVendor;
  created: CreatedIds;
  /** The workers' submissions, as JSON. */
  submitted: string[];
  /** Returns the number of open client connections. */
  clients(): Promise<number>;
  /** Whether a valid request succeeds. */
  isServing(): Promise<boolean>;
}

export async function fullRig(): Promise<FullRig> {
  const vendor = await permissiveVendor();
  const submitted: string[] = [];
  const { upstreams, models } = vendorConfig(vendor.url);
  const rig = await textRig(
    {
      server: { admin_key: ADMIN_KEY },
      timeouts: { image_wait_ms: 10_000 },
      webhooks: { per_key: 100 },
      batches: { per_key: 1_000 },
      video_groups: { per_key: 1_000 },
      upstreams: { ...upstreams, cohere: { kind: 'cohere', base_url: vendor.url, api_key: 'sk-vendor-cohere' } },
      models: [...models, { id: DIRECT_MODELS.rerank, routes: [{ upstream: 'cohere', model: 'theirs' }] }],
      defaults: { video_model: 'video', moderation_model: MODELS['chat-completions'] },
    },
    {
      limits: LIMITS,
      // Long enough to avoid timeouts on a busy machine.
      redisTimeoutMs: 10_000,
      images: true,
      script: {
        submit(submission) {
          const { request } = submission;
          submitted.push(JSON.stringify(submission));
          return request.kind === 'image'
            ? { kind: 'returned', outputs: Array.from({ length: request.n ?? 1 }, () => ({ bytes: TINY_PNG })) }
            : undefined;
        },
      },
    },
  );
  await rig.tasks.startWorker();
  const video = await rig.createdId();
  await vi.waitFor(async () => expect((await rig.call(`/v1/videos/${video}/content`)).status).toBe(200), 30_000);
  const images = await rig.post('/v1/images/generations', { model: 'image', prompt: 'a kite' });
  const image = (await rig.tasks.engine.list('alice', { kind: 'image', limit: 1, order: 'desc' })).tasks[0]?.id ?? '';
  expect([images.status, image]).toEqual([200, expect.stringMatching(/./)]);
  const hook = await rig.post('/v1/webhooks', { url: 'https://hooks.example/x' });
  const { id: webhook } = (await hook.json()) as { id: string }; // The cast is safe because every webhook has an id.
  const batchFile = await uploadLines(rig, '/v1/chat/completions', [{ model: MODELS['chat-completions'] }]);
  const params = { input_file_id: batchFile, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const { id: batch } = (await (await rig.post('/v1/batches', params)).json()) as { id: string }; // Every batch has an id.
  const sweep = await rig.post('/v1/videos/batch', { model: 'video', prompts: ['a kite'] });
  const { id: group } = (await sweep.json()) as { id: string }; // Every group has an id.
  return {
    ...rig,
    vendor,
    submitted,
    created: { video, image, webhook, batch, batchFile, group },
    clients: () =>
      new Promise((resolve, reject) => {
        rig.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    async isServing() {
      const response = await rig.post('/v1/chat/completions', {
        model: MODELS['chat-completions'],
        messages: [{ role: 'user', content: 'still there?' }],
      });
      return response.status === 200 && (await response.text()).includes('hello');
    },
    async close() {
      await rig.close();
      await vendor.close();
    },
  };
}

export function openHandles(): OpenHandles {
  const held: OpenHandles = { files: [], sockets: 0 };
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      if (target.startsWith('socket:')) held.sockets += 1;
      else if (target.startsWith('/') && !target.startsWith('/dev/') && !target.startsWith('/proc/')) {
        held.files.push(target);
      }
    } catch {
      // The descriptor used to list the folder has been closed since.
    }
  }
  return held;
}
