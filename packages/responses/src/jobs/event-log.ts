import type { Redis } from 'ioredis';
import { textKey } from '../records/response-keys.ts';

/** Events of a log that follow each other. */
export interface LogPart {
  events: readonly string[];
  /** The number of the first event. Events between the requested one and this one were removed, if the log was too long. */
  first: number;
  /** Whether the last one is the last of the response. */
  isEnd: boolean;
  /** If there are no events: the number of the last event in the log. */
  last?: number;
}

/** Number of entries in a part. Each of them has the events of a few milliseconds, up to some hundred KiB. */
const PART_ENTRIES = 32;

/** Reads the logs of events of background responses. `lua/includes/log.lua` describes them. */
export class EventLog {
  readonly #redis: Redis;
  readonly #key: (owner: string, id: string) => string;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#key = textKey(prefix, 'log');
  }

  /**
   * Returns the events after the one with a number, as far as they exist.
   * @param after -1 for all events
   * @returns undefined if there is no log; a part without events if there are none yet
   */
  async read(owner: string, id: string, after: number): Promise<LogPart | undefined> {
    const key = this.#key(owner, id);
    const entries = await this.#redis.xrange(key, `${after + 2}-0`, '+', 'COUNT', PART_ENTRIES);
    if (entries.length > 0) return partOf(entries, after);
    const [newest] = await this.#redis.xrevrange(key, '+', '-', 'COUNT', 1);
    if (!newest) return undefined;
    const last = Number.parseInt(newest[0], 10) - 1;
    // If events were added since the first command, they follow in the next part.
    return { events: [], first: after + 1, isEnd: last <= after && fieldsOf(newest).isEnd, last };
  }
}

type Entry = [id: string, fields: string[]];

function fieldsOf([, fields]: Entry): { first: number; text: string; isEnd: boolean } {
  const [, first = '', , text = '', , end] = fields;
  return { first: Number(first), text, isEnd: end === '1' };
}

function partOf(entries: readonly Entry[], after: number): LogPart {
  const read = entries.map(fieldsOf);
  const events = read.flatMap(({ text }) => text.split(/(?<=\n\n)/));
  const first = read[0]?.first ?? 0;
  const skipped = Math.max(0, after + 1 - first);
  return { events: events.slice(skipped), first: first + skipped, isEnd: read.at(-1)?.isEnd ?? false };
}
