import { createServer, type Server } from 'node:net';
import { KEY, type Stack, startStack } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { ADMIN_KEY, MARKUP, prepareConsole } from './console-stack.ts';

export interface MediaStack extends Stack {
  receiver: Receiver;
  /** Ids of tasks by what happens to them. */
  tasks: { remix: string; original: string; image: string; failed: string; open: string };
  /** Creates a video. @returns its id */
  video(prompt: string, model?: string): Promise<string>;
  call(method: string, at: string, body?: unknown, key?: string): Promise<Record<string, unknown>>;
}

/** Its upstream never responds, so its submissions are lost. */
export const LOST_MODEL = 'lost-video';

/** A gateway with the models of the sandbox, the built console, a webhook, and tasks in several states. */
export async function startMediaStack(): Promise<MediaStack> {
  await prepareConsole();
  const receiver = await startReceiver();
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const stack = await startStack({
    apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
    configFor: () => ({
      upstreams: { lost: { kind: 'videos', base_url: `http://127.0.0.1:${portOf(silent)}/v1`, api_key: 'sk-lost' } },
      models: [{ id: LOST_MODEL, routes: [{ upstream: 'lost', model: 'sandbox-video' }] }],
    }),
    config: {
      sandbox: { enabled: true },
      webhooks: { allow: [receiver.origin], poll_ms: 50 },
      tasks: { submit_unknown_ms: 3_600_000, sweep_ms: 300 },
    },
  });
  const close = stack.close.bind(stack);
  const call: MediaStack['call'] = async (method, at, body, key = KEY) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const response = await fetch(stack.origin + at, {
      method,
      headers: { ...headers, prefer: 'respond-async' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // The cast is safe because every response is a JSON object.
    return (await response.json()) as Record<string, unknown>;
  };
  const video: MediaStack['video'] = async (prompt, model = 'sandbox-video') =>
    String((await call('POST', '/v1/videos', { model, prompt }))['id']);
  await call('POST', '/v1/webhooks', { url: `${receiver.origin}/hook`, name: 'Render farm' });
  return Object.assign(stack, {
    receiver,
    call,
    video,
    tasks: await createTasks(call, video),
    async close() {
      await close();
      receiver.close();
      silent.close();
    },
  });
}

async function createTasks(call: MediaStack['call'], video: MediaStack['video']): Promise<MediaStack['tasks']> {
  const until = async (id: string, wanted: string): Promise<void> => {
    for (const end = Date.now() + 60_000; Date.now() < end;) {
      if ((await call('GET', `/v1/tasks/${id}`))['status'] === wanted) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`The task ${id} does not become ${wanted}.`);
  };
  const original = await video(`A paper boat on a lake ${MARKUP}`);
  const failed = await video(`A paper boat ${MARKUP} [moderated-output]`);
  const open = await video('A slow river [stall]');
  const params = { model: 'sandbox-image', prompt: 'A poster that says OPEN', n: 2 };
  const image = String((await call('POST', '/v1/images/generations', params))['id']);
  await until(original, 'completed');
  const remix = String((await call('POST', `/v1/videos/${original}/remix`, { prompt: 'The boat at night' }))['id']);
  await Promise.all([until(remix, 'completed'), until(image, 'completed'), until(failed, 'failed')]);
  return { remix, original, image, failed, open };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
