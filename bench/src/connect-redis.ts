import { Redis } from 'ioredis';

/** A plain connection as BullMQ's workers need it; a `unix://` URL is a socket path. */
export function connectRedis(url: string): Redis {
  const options = { maxRetriesPerRequest: null };
  return url.startsWith('unix://') ? new Redis(url.slice('unix://'.length), options) : new Redis(url, options);
}
