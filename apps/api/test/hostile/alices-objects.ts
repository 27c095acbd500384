import { expect, vi } from 'vitest';
import type { HostileRig } from './hostile-rig.ts';

/** Ids of things that alice has made, by the name that parameters of paths give them. */
export interface AlicesObjects {
  video: string;
  image: string;
  response: string;
  webhook: string;
}

/** Words that stand in what alice has made, and nowhere else. */
export const MARKER = 'the-wish-of-alice';

/** Makes one of everything that has an id. */
export async function alicesObjects(rig: HostileRig): Promise<AlicesObjects> {
  const made = async (at: string, body: object): Promise<string> => {
    const answer = await rig.post(at, body);
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return (JSON.parse(text) as { id: string }).id; // each of them has one
  };
  const webhook = await made('/v1/webhooks', { url: `https://${MARKER}.example/hook` });
  const video = await made('/v1/videos', { model: 'film', prompt: MARKER });
  const response = await made('/v1/responses', { model: 'by-chat', input: MARKER });
  const pictures = await rig.post('/v1/images/generations', { model: 'picture', prompt: MARKER });
  expect(pictures.status).toBe(200);
  const { tasks } = await rig.tasks.engine.list('alice', { kind: 'image', limit: 1, order: 'desc' });
  const file = `/v1/videos/${video}/content`;
  await vi.waitFor(async () => expect((await rig.call(file)).status).toBe(200), 20_000);
  return { video, image: tasks[0]?.id ?? '', response, webhook };
}
