/** Where a Redis server was found. */
export type RedisOrigin = 'setting' | 'path' | 'cache' | 'apt' | 'brew' | 'docker';

/** A Redis-compatible server that can be started. */
export interface RedisServer {
  /** The program: a server, or the docker client when `image` is set. */
  program: string;
  /** Container image to run; absent for a program of this machine. */
  image?: string;
  /** Folders with the shared libraries of a private copy. */
  libraryPath?: string;
  /** Such as `7.0.15`; for an image its tag. */
  version: string;
  origin: RedisOrigin;
  /** One phrase for people, such as `found on PATH`. */
  note: string;
}

/** The oldest server that the task queue's scripts run on. */
export const OLDEST_REDIS = '6.2';

/** Tells whether a version such as `7.0.15` is at least {@link OLDEST_REDIS}. */
export function isSupportedRedis(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 2);
}
