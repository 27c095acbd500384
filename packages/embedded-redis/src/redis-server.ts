export type RedisOrigin = 'setting' | 'path' | 'cache' | 'apt' | 'brew' | 'docker';

/** A Redis-compatible server. */
export interface RedisServer {
  /** The server program, or the docker client if `image` is set. */
  program: string;
  /** Container image; absent for a local program. */
  image?: string;
  /** Shared library folders of a private copy. */
  libraryPath?: string;
  /** Such as `7.0.15`; for an image its tag. */
  version: string;
  origin: RedisOrigin;
  /** A phrase for people, such as `found on PATH`. */
  note: string;
}

/** The oldest version that supports the task queue's scripts. */
export const OLDEST_REDIS = '6.2';

/** Whether a version such as `7.0.15` is at least {@link OLDEST_REDIS}. */
export function isSupportedRedis(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 2);
}
