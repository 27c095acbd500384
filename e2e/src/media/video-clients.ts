import type { Client } from '../client.ts';

/** A task, in the same format for all protocols. */
export interface SeenTask {
  status: number;
  /** The state under the protocol's own name. */
  nativeState: string;

  state: 'queued' | 'in_progress' | 'completed' | 'failed' | 'not_found';
  url?: string;
  /** The error code in the protocol's format. */
  code?: string | number;
  body: unknown;
}

/** A client for one of the four video protocols. */
export interface VideoClient {
  name: string;
  create(
    model: string,
    prompt: string,
    more?: { image?: string },
  ): Promise<{ response: Response; id: string; body: unknown }>;
  retrieve(id: string, model: string): Promise<SeenTask>;
}

type Json = Record<string, unknown>;

/** Returns the value at a path, or undefined if the path does not exist. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Json | undefined | null)?.[key], value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const FLAT: Record<string, SeenTask['state']> = {
  queued: 'queued',
  in_progress: 'in_progress',
  completed: 'completed',
  failed: 'failed',
};
const JIMENG: Record<string, SeenTask['state']> = {
  in_queue: 'queued',
  generating: 'in_progress',
  done: 'completed',
  not_found: 'not_found',
  expired: 'failed',
};

/** Parses a response that is itself the task, without a wrapper object. */
function flat({ status, body }: { status: number; body: unknown }): SeenTask {
  const nativeState = text(at(body, 'status')) ?? '';
  const url = text(at(body, 'url')) ?? text(at(body, 'metadata', 'url'));
  const code = at(body, 'error', 'code');
  return {
    status,
    nativeState,
    state: status === 404 ? 'not_found' : (FLAT[nativeState] ?? 'not_found'),
    ...(url !== undefined && { url }),
    ...(code !== undefined && { code: code as string | number }),
    body,
  };
}

/** Creates clients for the four protocols. They share one HTTP client. */
export function videoClients(client: Client): VideoClient[] {
  const http = jsonClient(client);
  return [videosClient(http), videoGenerationsClient(http), providerAClient(http), providerBClient(http)];
}

type JsonClient = ReturnType<typeof jsonClient>;

function jsonClient(client: Client) {
  const post = async (path: string, fields: Json) => {
    const response = await client.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    const body: unknown = await response.json();
    return { response, body };
  };
  const get = async (path: string) => {
    const response = await client.fetch(path);
    return { status: response.status, body: await response.json() };
  };
  return { post, get };
}

function videosClient({ post, get }: JsonClient): VideoClient {
  return {
    name: 'videos',
    async create(model, prompt, { image } = {}) {
      const reference = image === undefined ? {} : { input_reference: { image_url: image } };
      const { response, body } = await post('/v1/videos', { model, prompt, seconds: '5', ...reference });
      return { response, body, id: text(at(body, 'id')) ?? '' };
    },
    retrieve: async (id) => flat(await get(`/v1/videos/${id}`)),
  };
}

function videoGenerationsClient({ post, get }: JsonClient): VideoClient {
  return {
    name: 'video-generations',
    async create(model, prompt, { image } = {}) {
      const { response, body } = await post('/v1/video/generations', {
        model,
        prompt,
        duration: 5,
        ...(image && { image }),
      });
      return { response, body, id: text(at(body, 'task_id')) ?? '' };
    },
    retrieve: async (id) => flat(await get(`/v1/video/generations/${id}`)),
  };
}

function providerAClient({ post, get }: JsonClient): VideoClient {
  return {
    name: 'provider-a',
    async create(model, prompt, { image } = {}) {
      const path = `/kling/v1/videos/${image === undefined ? 'text2video' : 'image2video'}`;
      const { response, body } = await post(path, {
        model_name: model,
        prompt,
        duration: '5',
        ...(image && { image }),
      });
      return { response, body, id: text(at(body, 'data', 'task_id')) ?? '' };
    },
    async retrieve(id) {
      const seen = flat(await get(`/kling/v1/videos/text2video/${id}`));
      const nativeState = text(at(seen.body, 'data', 'task_status')) ?? '';
      return { ...seen, nativeState };
    },
  };
}

function providerBClient({ post }: JsonClient): VideoClient {
  return {
    name: 'provider-b',
    async create(model, prompt, { image } = {}) {
      const images = image === undefined ? {} : { binary_data_base64: [image.split(',').at(-1)] };
      const { response, body } = await post('/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31', {
        req_key: model,
        prompt,
        frames: 121,
        ...images,
      });
      return { response, body, id: text(at(body, 'data', 'task_id')) ?? '' };
    },
    async retrieve(id, model) {
      const { response, body } = await post('/jimeng/?Action=CVSync2AsyncGetResult&Version=2022-08-31', {
        req_key: model,
        task_id: id,
      });
      const nativeState = text(at(body, 'data', 'status')) ?? '';
      const url = text(at(body, 'data', 'video_url'));
      const code = at(body, 'code');
      return {
        status: response.status,
        nativeState,
        state: response.status === 400 ? 'failed' : (JIMENG[nativeState] ?? 'not_found'),
        ...(url !== undefined && { url }),
        ...(code !== 10_000 && { code: code as number }),
        body,
      };
    },
  };
}

export async function untilEnded(
  client: VideoClient,
  id: string,
  model: string,
  timeoutMs = 30_000,
): Promise<SeenTask> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const seen = await client.retrieve(id, model);
    if (seen.state === 'completed' || seen.state === 'failed') return seen;
    if (Date.now() > until) throw new Error(`${client.name}: still ${seen.nativeState}: ${JSON.stringify(seen.body)}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
