import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  ImageCapability,
  ImageRequest,
  MediaSubmission,
  UpstreamJob,
  VideoCapability,
  VideoRequest,
} from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { buildUpstreams } from '../src/build-upstreams.ts';
import type { UpstreamAccount } from '../src/contract/upstream.ts';
import { readBody, sendJson, startServer, type LocalServer } from './local-server.ts';
import type { ContractStage, ImageContractStage, VendorBehavior } from './video-contract.ts';

/** The test account's key. It must appear only in requests to the upstream. */
export const MEDIA_KEY = 'sk-test-0123456789';

export interface MediaRig {
  video: VideoCapability;
  image: ImageCapability;
  logged: () => string;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface MediaRigOptions {
  /** Origins from which files may be fetched although their addresses are not public. */
  allow?: string[];
  timeoutMs?: number;
  lookUpMs?: number;
  now?: () => number;
}

function served<T>(capability: T | undefined): T {
  if (capability === undefined) throw new Error('the account does not have this capability');
  return capability;
}

export function mediaRig(account: UpstreamAccount, options: MediaRigOptions = {}): MediaRig {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const { timeoutMs = 10_000, lookUpMs, now, allow = [] } = options;
  const upstreams = buildUpstreams({
    upstreams: { vendor: account },
    timeouts: {
      submitMs: timeoutMs,
      pollMs: timeoutMs,
      imageMs: timeoutMs,
      downloadIdleMs: timeoutMs,
      ...(lookUpMs !== undefined && { lookUpMs }),
    },
    limits: { downloadBytes: 10_000_000, inputBytes: 1_000_000 },
    allow,
    logger: createLogger({ level: 'debug', name: 'test', destination }),
    ...(now && { now }),
  });
  const vendor = upstreams.accounts.get('vendor');
  return {
    get video() {
      return served(vendor?.video);
    },
    get image() {
      return served(vendor?.image);
    },
    logged: () => lines.join('\n'),
    [Symbol.asyncDispose]: () => upstreams.close(),
  };
}

export function videoParams(
  request: Partial<VideoRequest>,
  more: Partial<Omit<MediaSubmission<VideoRequest>, 'request'>> = {},
): MediaSubmission<VideoRequest> {
  const images = more.images ?? [];
  return {
    taskId: 'video_task1',
    reference: 'video_task1-1',
    model: 'model-a',
    submittedAt: 1_767_323_045_500,
    ...more,
    images,
    request: {
      kind: 'video',
      prompt: 'a red kite',
      images: images.map(({ role }) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } })),
      ...request,
    },
  };
}

export function imageParams(
  request: Partial<ImageRequest>,
  more: Partial<Omit<MediaSubmission<ImageRequest>, 'request'>> = {},
): MediaSubmission<ImageRequest> {
  const images = more.images ?? [];
  return {
    taskId: 'image_task1',
    reference: 'image_task1-1',
    model: 'model-a',
    submittedAt: 1_767_323_045_500,
    ...more,
    images,
    request: {
      kind: 'image',
      prompt: 'a red kite',
      delivery: 'url',
      images: images.map(({ role }) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } })),
      ...request,
    },
  };
}

export function mediaJob(baseUrl: string, more: Partial<UpstreamJob> = {}): UpstreamJob {
  return { taskId: 'video_task1', model: 'model-a', baseUrl, upstreamId: 'up_1', acceptedAt: Date.now(), ...more };
}

export interface Recorded {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  /** The parsed JSON; `undefined` if there was none. */
  body: unknown;
}

export interface JsonVendor extends LocalServer {
  recorded: Recorded[];
}

/** A response of a {@link JsonVendor}. A function writes the response itself. Undefined breaks the connection. */
export type JsonResponse =
  | { status?: number; body: unknown; headers?: Record<string, string> }
  | ((response: ServerResponse) => unknown)
  | undefined;

export async function jsonVendor(respond: (request: Recorded) => JsonResponse): Promise<JsonVendor> {
  const recorded: Recorded[] = [];
  const server = await startServer(async (request, response) => {
    const text = (await readBody(request)).toString();
    const body: unknown =
      request.headers['content-type']?.includes('json') && text !== '' ? JSON.parse(text) : undefined;
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    recorded.push(one);
    const reply = respond(one);
    if (reply === undefined) response.socket?.destroy();
    else if (typeof reply === 'function') reply(response);
    else sendJson(response, reply.status ?? 200, reply.body, reply.headers);
  });
  return { ...server, recorded };
}

export interface FormatBehavior {
  account(origin: string): UpstreamAccount;
  isSubmission(request: IncomingMessage): boolean;
  response(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse, origin: string): void;
}

export function mediaStage(format: FormatBehavior): (timeoutMs: number) => Promise<ContractStage & ImageContractStage> {
  return async (timeoutMs) => {
    let behavior: VendorBehavior = { behavior: 'hangs' };
    let submissions = 0;
    const server = await startServer(async (request, response) => {
      await readBody(request);
      if (format.isSubmission(request)) submissions += 1;
      format.response(behavior, request, response, server.origin);
    });
    const rig = mediaRig(format.account(server.origin), { timeoutMs });
    let open = true;
    const shutDown = async (): Promise<void> => {
      if (open) await server[Symbol.asyncDispose]();
      open = false;
    };
    return {
      get video() {
        return rig.video;
      },
      get image() {
        return rig.image;
      },
      setBehavior: (next) => (behavior = next),
      submissions: () => submissions,
      shutDown,
      secrets: [MEDIA_KEY, '127.0.0.1', 'up_contract_77'],
      [Symbol.asyncDispose]: async () => {
        await rig[Symbol.asyncDispose]();
        await shutDown();
      },
    };
  };
}

/**
 * Handles behaviors that are the same for every kind: timeouts, broken connections, invalid responses, and files below
 * `/files/`.
 * @returns whether it handled the behavior
 */
export function respondCommonly(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse): boolean {
  if (behavior.behavior === 'hangs') return true;
  if (behavior.behavior === 'drops the connection') return ended(response.socket?.destroy());
  if (behavior.behavior === 'returns garbage') {
    return ended(response.writeHead(200, { 'content-type': 'text/html' }).end('<html>welcome</html>'));
  }
  if (request.url?.startsWith('/files/') !== true) return false;
  if (behavior.behavior === 'has finished') {
    const length = Buffer.byteLength(behavior.content);
    return ended(
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': length }).end(behavior.content),
    );
  }
  if (behavior.behavior === 'has expired the content') return ended(response.writeHead(410).end());
  if (behavior.behavior === 'cuts the content') {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1000 }).write('half');
    setTimeout(() => response.socket?.destroy(), 20);
    return true;
  }
  return false;
}

function ended(_done: unknown): true {
  return true;
}
