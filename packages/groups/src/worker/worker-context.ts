import type { MediaTask } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { GroupKeys } from '../store/group-keys.ts';
import type { GroupSettings } from '../store/group-settings.ts';

/** A request to the API, as the owner of a group. */
interface VideoCall {
  owner: string;
  path: string;
  headers: Record<string, string>;
  /** JSON. */
  body?: string;
  signal: AbortSignal;
}

interface VideoReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: AsyncIterable<Uint8Array>;
}

/**
 * Sends a POST request to the API. @throws GatewayError `invalid_api_key` if the owner's key does not exist any more;
 * any other error means that the outcome is unknown
 */
export type ServeVideo = (call: VideoCall) => Promise<VideoReply>;

export interface WorkerContext {
  redis: Redis;
  keys: GroupKeys;
  settings: GroupSettings & { pollMs: number; leaseMs: number };
  serve: ServeVideo;
  findTask: (id: string) => Promise<MediaTask | undefined>;
  logger: Pick<Logger, 'warn' | 'error'>;
  now: () => number;
  /** Aborts when no further work may start. */
  stopping: AbortSignal;
  /** Aborts requests in flight. */
  aborting: AbortSignal;
}

export interface Lease {
  id: string;
  token: string;
}
