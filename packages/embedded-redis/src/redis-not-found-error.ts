/** One place that was looked at, and what was there. */
export interface Tried {
  place: string;
  outcome: string;
}

/** No Redis could be found; the message says where it was looked for and how to help. */
export class RedisNotFoundError extends Error {
  readonly tried: readonly Tried[];

  constructor(tried: readonly Tried[]) {
    super(
      `No Redis found. Tried: ${tried.map(({ place, outcome }) => `${place} (${outcome})`).join(', ')}.\n` +
        '  Do one of:   sudo apt-get install redis-server    brew install valkey    export REDIS_URL=redis://…',
    );
    this.name = 'RedisNotFoundError';
    this.tried = tried;
  }
}
