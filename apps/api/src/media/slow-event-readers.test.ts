import type { TaskEngine } from '@sluice/tasks';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { type ApiRig, apiRig } from '../../test/api-rig.ts';
import { sendTaskEvents } from './task-events.ts';

let rig: ApiRig;
afterEach(() => rig.close());

/** An endless sequence of changes that counts how many were read. */
function endless() {
  const state = { reads: 0, isOver: false };
  const follow: TaskEngine['follow'] = async function* (task, _after, signal) {
    try {
      while (!signal.aborted) {
        state.reads += 1;
        yield { revision: state.reads, task };
      }
    } finally {
      state.isOver = true;
    }
  };
  return { state, follow };
}

const encode = (revision: number) => `id: ${revision}\ndata: ${'x'.repeat(10_000)}\n\n`;

async function serve(follow: TaskEngine['follow']) {
  rig = await apiRig();
  const id = await rig.createdId();
  const [task] = (await rig.tasks.engine.list('alice', { kind: 'video', limit: 1, order: 'asc' })).tasks;
  if (task?.id !== id) throw new Error('the task exists');
  const app = Fastify();
  const deps = {
    engine: { ...rig.tasks.engine, follow },
    keepAliveMs: 1_000,
    stopping: new AbortController().signal,
  };
  app.get('/', (request, reply) => sendTaskEvents(deps, { request, reply, task, after: 0, encode }));
  return { app, origin: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

it('an event stream reads only what its client reads, and releases everything when the client disconnects', async () => {
  const { state, follow } = endless();
  const { app, origin } = await serve(follow);
  const client = new AbortController();
  const response = await fetch(origin, { signal: client.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = before === state.reads;
        before = state.reads;
        return isStill && before > 1;
      },
      { interval: 300, timeout: 20_000 },
    )
    .toBe(true);
  expect(state.isOver).toBe(false);
  client.abort();
  await expect.poll(() => state.isOver).toBe(true);
  app.server.closeAllConnections();
  await app.close();
});
