/** One location that was tried, and the result. */
export interface TriedLocation {
  place: string;
  outcome: string;
}

/** The message lists the locations that were tried and the possible remedies. */
export class RedisNotFoundError extends Error {
  readonly tried: readonly TriedLocation[];

  constructor(tried: readonly TriedLocation[]) {
    super(
      `No Redis was found. Tried: ${tried.map(({ place, outcome }) => `${place} (${outcome})`).join(', ')}.\n` +
        '  Do one of:   sudo apt-get install redis-server    brew install valkey    export REDIS_URL=redis://…',
    );
    this.name = 'RedisNotFoundError';
    this.tried = tried;
  }
}
