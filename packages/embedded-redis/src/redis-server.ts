export type RedisOrigin = 'setting' | 'path' | 'cache' | 'apt' | 'brew' | 'docker';

export interface RedisServer {
  /** The server program, or the Docker client if `image` is set. */
  program: string;
  /** Container image; absent for a local program. */
  image?: string;
  /** Shared library folders of a private copy. */
  libraryPath?: string;
  /** A version (e.g. `7.0.15`). For an image, its tag. */
  version: string;
  origin: RedisOrigin;
  /** Where the server was found, for display (e.g. `found on PATH`). */
  note: string;
}

/** The oldest version that supports the scripts of the task queue. */
export const OLDEST_REDIS = '6.2';

/** Whether a version is at least {@link OLDEST_REDIS}. */
export function isSupportedRedis(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 2);
}
