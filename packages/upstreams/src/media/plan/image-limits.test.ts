import type { ImageRole, InputImage, OpenedImage } from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { afterAll, describe, expect, it } from 'vitest';
import { deadOrigin } from '../../../test/local-server.ts';
import { NEVER } from '../../../test/videos-rig.ts';
import { buildUpstreams } from '../../build-upstreams.ts';

const MB = 1024 * 1024;
const keys = { api_key: 'k' };
const pair = { access_key: 'a', secret_key: 's' };
const base_url = await deadOrigin();
const upstreams = buildUpstreams({
  upstreams: {
    'provider-a': { kind: 'provider-a', base_url, ...pair },
    'provider-b': { kind: 'provider-b', base_url, ...pair },
    dashscope: { kind: 'dashscope', base_url, ...keys },
    ark: { kind: 'ark', base_url, ...keys },
    minimax: { kind: 'minimax', base_url, ...keys },
    vidu: { kind: 'vidu', base_url, ...keys },
    'chat-completions': { kind: 'chat-completions', base_url, ...keys },
  },
  timeouts: { submitMs: 1000, pollMs: 1000, downloadIdleMs: 1000 },
  limits: { downloadBytes: 1, inputBytes: 1 },
  allow: [],
  logger: createLogger({ level: 'silent', name: 'test' }),
});
afterAll(() => upstreams.close());

const stored = (role: ImageRole, mediaType: string, bytes: number): InputImage => ({
  role,
  source: { kind: 'stored', key: 'k', mediaType, filename: 'a', bytes },
});
async function* none(): AsyncGenerator<Uint8Array> {}
const noBytes = () => Promise.resolve(none());
const ignore = (): void => undefined;

/** Each row has a kind, media, a model, a supported role, an unsupported type, and the maximum image size in MB. */
const KINDS = [
  ['provider-a', 'video', 'kling-v2-1', 'first_frame', 'image/webp', 10],
  ['provider-a', 'video', 'kling-v1-6', 'reference', 'image/gif', 10],
  ['provider-a', 'video', 'kling-video-o1', 'reference', 'image/avif', 10],
  ['provider-a', 'image', 'kling-v2', 'reference', 'image/webp', 10],
  ['provider-a', 'image', 'kling-image-o1', 'reference', 'image/heic', 10],
  ['provider-b', 'video', 'jimeng_i2v_first_v30', 'first_frame', 'image/webp', 4.7],
  ['provider-b', 'image', 'jimeng_t2i_v40', 'reference', 'image/webp', 15],
  ['dashscope', 'video', 'wan2.5-i2v-preview', 'first_frame', 'image/gif', 10],
  ['dashscope', 'video', 'wan2.7-i2v', 'first_frame', 'image/heic', 20],
  ['dashscope', 'image', 'qwen-image-edit', 'reference', 'image/avif', 10],
  ['ark', 'video', 'doubao-seedance-1-0-pro-250528', 'first_frame', 'image/avif', 30],
  ['minimax', 'video', 'MiniMax-Hailuo-02', 'first_frame', 'image/gif', 20],
  ['minimax', 'video', 'MiniMax-H3', 'first_frame', 'image/heic', 30],
  ['vidu', 'video', 'viduq2', 'first_frame', 'image/gif', 15],
  ['chat-completions', 'image', 'gpt-image-1', 'reference', undefined, 50],
] as const;

describe.each(KINDS)('%s, %s, %s', (name, kind, model, role, wrong, max) => {
  const account = upstreams.accounts.get(name);
  const bytes = Math.floor(max * MB);

  function review(image: InputImage): unknown {
    const params = { prompt: 'a red kite', images: [image] };
    return kind === 'video'
      ? account?.video?.review(model, { kind, ...params }, ignore)
      : account?.image?.review(model, { kind, ...params, delivery: 'url' }, ignore);
  }

  function submit(mediaType: string, of = bytes): Promise<{ kind: string } | undefined> | undefined {
    const image: OpenedImage = { role, mediaType, filename: 'a', bytes: of, open: noBytes };
    const params = {
      prompt: 'a red kite',
      images: [{ role, source: { kind: 'url' as const, url: 'https://a.example/a' } }],
    };
    const rest = { taskId: 't', model, images: [image], reference: 't-1', submittedAt: 1 };
    if (kind === 'video') return account?.video?.submit({ ...rest, request: { kind, ...params } }, NEVER);
    return account?.image?.submit({ ...rest, request: { kind, ...params, delivery: 'url' } }, NEVER);
  }

  it('accepts images within the vendor’s limits', async () => {
    expect(() => review(stored(role, 'image/png', bytes))).not.toThrow();
    expect(() => review(stored(role, 'image/jpeg', 1))).not.toThrow();
    expect(await submit('image/png')).not.toMatchObject({ kind: 'rejected' });
  });

  it('refuses a larger image, in the review or once its size is known', async () => {
    expect(() => review(stored(role, 'image/png', bytes + 1))).toThrow(/MB/);
    expect(await submit('image/png', bytes + 1)).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  });

  it.skipIf(wrong === undefined)('refuses another type, in the review or once it is known', async () => {
    const type = wrong ?? '';
    expect(() => review(stored(role, type, 1))).toThrow(/must be [A-Z, or]+ for this model/);
    expect(await submit(type, 1)).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
  });
});
