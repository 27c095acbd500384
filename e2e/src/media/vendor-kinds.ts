import { VENDOR_KEY } from '../stack.ts';

/** The access key for signed requests to the sandbox. */
export const ACCESS_KEY = 'ak-sandbox';

/** A kind of upstream, served by the sandbox. */
export interface VendorKind {
  kind: string;
  /** Path of its API at the sandbox. */
  path: string;
  video: string;
  image?: string;
  credential: Record<string, string>;
  /** Whether the vendor can identify a submission with a lost response. */
  lost: 'found' | 'unknown';
  /** Whether the number of images can be set. */
  many?: boolean;
}

export type ImageKind = Omit<VendorKind, 'video'> & { image: string };

const bearer = { api_key: VENDOR_KEY };
const pair = { access_key: ACCESS_KEY, secret_key: VENDOR_KEY };

/** All kinds of upstream that generate videos. */
export const VENDOR_KINDS: readonly VendorKind[] = [
  { kind: 'videos', path: '/v1', video: 'sandbox-video', credential: bearer, lost: 'found' },
  {
    kind: 'provider-a',
    path: '/kling',
    video: 'kling-v2-1-master',
    image: 'kling-v2',
    credential: pair,
    lost: 'found',
    many: true,
  },
  {
    kind: 'provider-b',
    path: '',
    video: 'jimeng_ti2v_v30_pro',
    image: 'jimeng_t2i_v40',
    credential: pair,
    lost: 'unknown',
  },
  {
    kind: 'dashscope',
    path: '/dashscope',
    video: 'wan2.6-t2v',
    image: 'wan2.2-t2i-flash',
    credential: bearer,
    lost: 'unknown',
    many: true,
  },
  { kind: 'ark', path: '/ark/api/v3', video: 'doubao-seedance-1-0-pro-250528', credential: bearer, lost: 'found' },
  { kind: 'minimax', path: '/minimax', video: 'MiniMax-Hailuo-02', credential: bearer, lost: 'unknown' },
  { kind: 'vidu', path: '/vidu/ent/v2', video: 'viduq2', credential: bearer, lost: 'found' },
  { kind: 'veo', path: '', video: 'veo-3.1-generate-preview', credential: bearer, lost: 'unknown' },
  { kind: 'runway', path: '/runway', video: 'gen4.5', image: 'gen4_image', credential: bearer, lost: 'unknown' },
  {
    kind: 'fal',
    path: '/fal',
    video: 'fal-ai/veo3',
    image: 'fal-ai/flux/dev',
    credential: bearer,
    lost: 'unknown',
    many: true,
  },
  {
    kind: 'replicate',
    path: '/replicate/v1',
    video: 'wan-video/wan-2.5-t2v',
    image: 'black-forest-labs/flux-schnell',
    credential: bearer,
    lost: 'unknown',
    many: true,
  },
];

/** Text protocols that also generate images, synchronously. */
export const IMAGE_KINDS: readonly ImageKind[] = [
  { kind: 'chat-completions', path: '/v1', image: 'dall-e-2', credential: bearer, lost: 'unknown', many: true },
  { kind: 'generative-content', path: '', image: 'gemini-2.5-flash-image', credential: bearer, lost: 'unknown' },
];

function modelOf(media: 'video' | 'image', kind: string, model: string) {
  return { id: `${media}-${kind}`, routes: [{ upstream: kind, model }] };
}

/**
 * Configures all kinds, with the models `video-<kind>` and `image-<kind>`.
 * @param more additional fields of some upstreams
 */
export function mediaConfig(
  sandboxUrl: string,
  more: Record<string, Record<string, unknown>> = {},
): { upstreams: Record<string, unknown>; models: unknown[] } {
  const kinds = [...VENDOR_KINDS, ...IMAGE_KINDS];
  const upstreams = Object.fromEntries(
    kinds.map(({ kind, path, credential }) => [
      kind,
      { kind, base_url: `${sandboxUrl}${path}`, ...credential, ...more[kind] },
    ]),
  );
  const videos = VENDOR_KINDS.map(({ kind, video }) => modelOf('video', kind, video));
  const images = kinds.flatMap(({ kind, image }) => (image === undefined ? [] : modelOf('image', kind, image)));
  const editor = { id: 'edit-chat-completions', routes: [{ upstream: 'chat-completions', model: 'gpt-image-1' }] };
  const models = [...videos, ...images, editor];
  return { upstreams, models };
}
