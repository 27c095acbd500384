import type {
  MediaSubmission,
  OpenedImage,
  IndexedOutput,
  UpstreamJob,
  VideoCapability,
  VideoRequest,
} from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { buildUpstreams } from '../src/build-upstreams.ts';

export interface VideosRig {
  video: VideoCapability;
  logged: () => string;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface VideosRigOptions {
  allow?: string[];
  timeoutMs?: number;
  now?: () => number;
  headers?: Record<string, string>;
}

/** The test account's key. It must appear only in requests to the upstream. */
export const API_KEY = 'sk-test-0123456789';

export function videosRig(origin: string, options: VideosRigOptions = {}): VideosRig {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const credential = options.headers ? { headers: options.headers } : { api_key: API_KEY };
  const timeoutMs = options.timeoutMs ?? 10_000;
  const upstreams = buildUpstreams({
    upstreams: { vendor: { kind: 'videos', base_url: `${origin}/v1/`, ...credential } },
    timeouts: { submitMs: timeoutMs, pollMs: timeoutMs, downloadIdleMs: timeoutMs },
    limits: { downloadBytes: 10_000_000, inputBytes: 1_000_000 },
    allow: options.allow ?? [],
    logger: createLogger({ level: 'debug', name: 'test', destination }),
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const video = upstreams.accounts.get('vendor')?.video;
  if (video === undefined) throw new Error('the account serves no videos');
  return { video, logged: () => lines.join('\n'), [Symbol.asyncDispose]: () => upstreams.close() };
}

export function submission(more: Partial<MediaSubmission<VideoRequest>> = {}): MediaSubmission<VideoRequest> {
  return {
    taskId: 'video_task1',
    model: 'sora-2',
    request: { kind: 'video', prompt: 'a red kite', seconds: '8', size: '1280x720', images: [] },
    images: [],
    reference: 'video_task1-1',
    submittedAt: 1_767_323_045_500,
    ...more,
  };
}

/** Creates a submission with these images, stored and opened. */
export function withImages(...images: OpenedImage[]): MediaSubmission<VideoRequest> {
  const params = submission();
  const named = images.map(({ role, mediaType, filename, bytes }, at) => ({
    role,
    source: { kind: 'stored', key: `input-${at}`, mediaType, filename, bytes } as const,
  }));
  return { ...params, request: { ...params.request, images: named }, images };
}

export function job(origin: string, upstreamId = 'up_1'): UpstreamJob {
  return { taskId: 'video_task1', model: 'sora-2', baseUrl: `${origin}/v1`, upstreamId, acceptedAt: Date.now() };
}

export function image(text: string, role: OpenedImage['role'] = 'first_frame'): OpenedImage {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return {
    role,
    mediaType: 'image/png',
    filename: 'kite.png',
    bytes: Buffer.byteLength(text),
    open: () => Promise.resolve(bytes()),
  };
}

export const FILE: IndexedOutput = { index: 0 };

export const NEVER = new AbortController().signal;
