/** One location that was tried, and the result. */
export interface TriedLocation {
  place: string;
  outcome: string;
}

/** The message lists what was tried and what to do. */
export class RedisNotFoundError extends Error {
  readonly tried: readonly TriedLocation[];

  constructor(tried: readonly TriedLocation[]) {
    super(
      `No Redis found. Tried: ${tried.map(({ place, outcome }) => `${place} (${outcome})`).join(', ')}.\n` +
        '  Do one of:   sudo apt-get install redis-server    brew install valkey    export REDIS_URL=redis://…',
    );
    this.name = 'RedisNotFoundError';
    this.tried = tried;
  }
}
