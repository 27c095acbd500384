import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { KEY, OTHER_KEY, type Stack } from '../stack.ts';
import { VENDOR_KINDS } from './vendor-kinds.ts';
import { startMediaStack } from './media-stack.ts';
import { type VideoClient, untilEnded, videoClients } from './video-clients.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startMediaStack();
}, 60_000);
afterAll(() => stack.close());

const CLIENTS = ['videos', 'video-generations', 'provider-a', 'provider-b'] as const;

function clientOf(name: string, key = KEY): VideoClient {
  const client = videoClients(new Client(stack.origin, key)).find((one) => one.name === name);
  if (!client) throw new Error(`There is no client ${name}.`);
  return client;
}

describe.each(VENDOR_KINDS.map(({ kind }) => kind))('a video by the upstream kind %s', (kind) => {
  it.each(CLIENTS)(
    'created through %s is downloaded, is visible in every protocol, and is submitted once',
    async (name) => {
      const client = clientOf(name);
      const model = `video-${kind}`;
      const prompt = `a paper boat of ${name} by ${kind}`;
      const { response, id, body } = await client.create(model, prompt);
      expect([response.status, body]).toMatchObject([200, {}]);
      const ended = await untilEnded(client, id, model);
      expect(ended).toMatchObject({ status: 200, state: 'completed' });

      // Sent without a key, because players and vendor SDKs fetch result URLs directly.
      const video = await fetch(ended.url ?? '');
      expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4']);
      const bytes = Buffer.from(await video.arrayBuffer());
      expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
      expect(String(bytes.length)).toBe(video.headers.get('content-length'));

      for (const other of CLIENTS) {
        expect(await clientOf(other).retrieve(id, model)).toMatchObject({ state: 'completed' });
        expect((await clientOf(other, OTHER_KEY).retrieve(id, model)).state).toBe('not_found');
      }
      const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
      expect(submissions.filter(({ task }) => task === id).map(({ applied }) => applied)).toEqual([1]);
    },
  );
});
