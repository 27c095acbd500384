import { Redis } from 'ioredis';

/** Opens a plain connection with the options that BullMQ's workers need. A `unix://` URL is a socket path. */
export function connectRedis(url: string): Redis {
  const options = { maxRetriesPerRequest: null };
  return url.startsWith('unix://') ? new Redis(url.slice('unix://'.length), options) : new Redis(url, options);
}
