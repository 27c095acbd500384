import { freePort } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client, type Video } from '../client.ts';
import { KEY, type Stack, startStack } from '../stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    renderMs: 6_000,
    config: { polling: { first_ms: 50, min_ms: 50, max_ms: 100, on_read_ms: 50 } },
  });
}, 60_000);
afterAll(() => stack.close());

interface SeenEvent {
  id: number;
  name: string;
  video: Video;
}

/** Reads a video's events until the video ends. Switches to the next API process when a stream breaks. */
async function follow(origins: readonly string[], id: string, onEvent: (count: number) => void): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  const until = performance.now() + 120_000;
  for (let connection = 0; ; connection++) {
    const origin = origins[connection % origins.length] ?? '';
    const known = seen.at(-1);
    try {
      const response = await fetch(`${origin}/v1/videos/${id}/events`, {
        headers: { authorization: `Bearer ${KEY}`, ...(known && { 'last-event-id': String(known.id) }) },
        signal: AbortSignal.timeout(60_000),
      });
      let text = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          const frame = text.slice(0, end);
          text = text.slice(end + 2);
          const [, eventId, name = '', data = ''] = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
          if (eventId === undefined) continue;
          seen.push({ id: Number(eventId), name, video: JSON.parse(data) as Video });
          onEvent(seen.length);
        }
      }
    } catch {
      // The read failed because the process has ended.
    }
    if (/completed|failed/.test(seen.at(-1)?.name ?? '')) return seen;
    if (performance.now() > until) throw new Error('The events do not report the end.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it('a client of the event stream receives each change once, even if API processes are killed or stopped', async () => {
  const first = stack.api;
  const port = await freePort();
  const other = await stack.startApi({ SLUICE_PORT: String(port) });
  const origins = [`http://127.0.0.1:${port}`, stack.origin];
  const { id } = await new Client(stack.origin, KEY).create('a boat', 'followed');
  const ends: Promise<unknown>[] = [];
  const seen = await follow(origins, id, (count) => {
    // The client first reads from `other`, which is killed, and then from the first process, which is stopped.
    if (count === 3) ends.push(other.kill().then(() => stack.startApi({ SLUICE_PORT: String(port) })));
    if (count === 6) ends.push(first.stop());
  });
  await Promise.all(ends);

  const changes = seen.map(({ name, video }) => `${name} ${video.status} ${video.progress}`);
  expect(changes[0]).toBe('video.queued queued 0');
  expect(changes.at(-1)).toBe('video.completed completed 100');
  expect(new Set(changes).size).toBe(changes.length);
  expect(seen.length).toBeGreaterThan(6);
  const complete = await follow(origins.slice(0, 1), id, () => undefined);
  expect(seen.map((event) => event.id)).toEqual(complete.map((event) => event.id));
  expect(changes).toEqual(complete.map(({ name, video }) => `${name} ${video.status} ${video.progress}`));
}, 180_000);
