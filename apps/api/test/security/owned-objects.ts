import { expect, vi } from 'vitest';
import { deliverWebhooks } from './deliver-webhooks.ts';
import type { FullRig } from './full-rig.ts';

/** Ids of things that alice has created, by the name that parameters of paths give them. */
export interface OwnedObjects {
  video: string;
  image: string;
  response: string;
  webhook: string;
  /** What the webhook was told of the video, and what the callback of the video's own request was. */
  delivery: string;
  callback: string;
}

/** Words that stand in what alice has created, and nowhere else. */
export const MARKER = 'prompt-of-alice';

/** Makes one of everything that has an id. */
export async function createOwnedObjects(rig: FullRig): Promise<OwnedObjects> {
  const create = async (at: string, body: object): Promise<string> => {
    const reply = await rig.post(at, body);
    const text = await reply.text();
    expect(reply.status, text).toBe(200);
    return (JSON.parse(text) as { id: string }).id; // each of them has one
  };
  const webhook = await create('/v1/webhooks', { url: `https://${MARKER}.example/hook` });
  const params = { model: 'film', prompt: MARKER, callback_url: `https://${MARKER}.example/callback` };
  const video = await create('/v1/videos', params);
  const response = await create('/v1/responses', { model: 'by-chat', input: MARKER });
  const images = await rig.post('/v1/images/generations', { model: 'picture', prompt: MARKER });
  expect(images.status).toBe(200);
  const { tasks } = await rig.tasks.engine.list('alice', { kind: 'image', limit: 1, order: 'desc' });
  const file = `/v1/videos/${video}/content`;
  await vi.waitFor(async () => expect((await rig.call(file)).status).toBe(200), 20_000);
  const told = await toldOf(rig, video);
  const idOf = (wanted: string | undefined) => told.find(({ webhook_id }) => webhook_id === wanted)?.id ?? '';
  return {
    video,
    image: tasks[0]?.id ?? '',
    response,
    webhook,
    delivery: idOf(webhook),
    callback: idOf(undefined),
  };
}

interface Told {
  id: string;
  webhook_id?: string;
  task_id?: string;
  status: string;
}

/** What was told of a video, once nothing is on its way and nobody delivers any more. */
async function toldOf(rig: FullRig, video: string): Promise<Told[]> {
  const worker = deliverWebhooks(rig, 'alice');
  const found = await vi.waitFor(async () => {
    const reply = await rig.call('/v1/webhooks/deliveries?limit=100');
    const { data } = (await reply.json()) as { data: Told[] }; // a list has them
    expect(data.filter(({ status }) => status === 'pending')).toEqual([]);
    const ofVideo = data.filter(({ task_id }) => task_id === video);
    // Two webhooks, of which the rig has registered one, and a callback.
    expect(ofVideo).toHaveLength(3);
    return ofVideo;
  }, 20_000);
  await worker.close();
  return found;
}
