import { expect, vi } from 'vitest';
import { uploadLines } from '../batches/batches-rig.ts';
import { deliverWebhooks } from './deliver-webhooks.ts';
import type { FullRig } from './full-rig.ts';

/** Ids of objects that Alice owns, by path parameter. */
export interface OwnedObjects {
  video: string;
  image: string;
  response: string;
  webhook: string;
  file: string;
  upload: string;
  batch: string;
  group: string;
  /** The video's deliveries: one to the webhook, one to the request's callback URL. */
  delivery: string;
  callback: string;
}

/** Contained in Alice's objects and nowhere else. */
export const MARKER = 'prompt-of-alice';

/** Creates one object of each kind. */
export async function createOwnedObjects(rig: FullRig): Promise<OwnedObjects> {
  const create = async (at: string, body: object): Promise<string> => {
    const isForm = body instanceof FormData;
    const reply = await (isForm ? rig.call(at, { method: 'POST', body }) : rig.post(at, body));
    const text = await reply.text();
    expect(reply.status, text).toBe(200);
    return (JSON.parse(text) as { id: string }).id; // The cast is safe because every object has an id.
  };
  const webhook = await create('/v1/webhooks', { url: `https://${MARKER}.example/hook` });
  const params = { model: 'video', prompt: MARKER, callback_url: `https://${MARKER}.example/callback` };
  const video = await create('/v1/videos', params);
  const response = await create('/v1/responses', { model: 'by-chat', input: MARKER });
  const form = new FormData();
  form.append('purpose', 'user_data');
  form.append('file', new Blob([MARKER]), `${MARKER}.txt`);
  const file = await create('/v1/files', form);
  const parts = { filename: `${MARKER}.txt`, purpose: 'user_data', bytes: 9, mime_type: 'text/plain' };
  const upload = await create('/v1/uploads', parts);
  const line = { model: 'by-chat', messages: [{ role: 'user', content: MARKER }] };
  const endpoint = '/v1/chat/completions';
  const input_file_id = await uploadLines(rig, endpoint, [line]);
  const chosen = { endpoint, input_file_id, completion_window: '24h', metadata: { name: MARKER } };
  const batch = await create('/v1/batches', chosen);
  const group = await create('/v1/videos/batch', { model: 'video', prompts: [MARKER] });
  const images = await rig.post('/v1/images/generations', { model: 'image', prompt: MARKER });
  expect(images.status).toBe(200);
  const { tasks } = await rig.tasks.engine.list('alice', { kind: 'image', limit: 1, order: 'desc' });
  const content = `/v1/videos/${video}/content`;
  await vi.waitFor(async () => expect((await rig.call(content)).status).toBe(200), 30_000);
  const deliveries = await deliveriesOf(rig, video);
  const idOf = (webhookId: string | undefined) =>
    deliveries.find(({ webhook_id }) => webhook_id === webhookId)?.id ?? '';
  return {
    video,
    image: tasks[0]?.id ?? '',
    response,
    webhook,
    file,
    upload,
    batch,
    group,
    delivery: idOf(webhook),
    callback: idOf(undefined),
  };
}

interface Delivery {
  id: string;
  webhook_id?: string;
  task_id?: string;
  status: string;
}

/** Returns a video's deliveries, once none is pending and the worker is closed. */
async function deliveriesOf(rig: FullRig, video: string): Promise<Delivery[]> {
  const worker = deliverWebhooks(rig, 'alice');
  const found = await vi.waitFor(async () => {
    const reply = await rig.call('/v1/webhooks/deliveries?limit=100');
    // The cast is safe because the response is a list page.
    const { data } = (await reply.json()) as { data: Delivery[] };
    expect(data.filter(({ status }) => status === 'pending')).toEqual([]);
    const ofVideo = data.filter(({ task_id }) => task_id === video);
    // Sent to the rig's webhook, to the webhook among Alice's objects, and to the callback.
    expect(ofVideo).toHaveLength(3);
    return ofVideo;
  }, 20_000);
  await worker.close();
  return found;
}
