import { encodeResponseEvent, type ResponseEvent } from '@sluice/protocols';
import type { EventLog, JobClaim, ResponseJob, ResponseJobs } from '@sluice/responses';

export interface EventWriterOptions {
  jobs: Pick<ResponseJobs, 'append'>;
  claim: JobClaim;
  /** All events in the log. Undefined if the log was too long, so that some were removed. */
  recorded: readonly string[] | undefined;
  /** Called if the worker has lost the job. */
  onLost: () => void;
}

/** Characters that wait for Redis before the stream pauses. */
const MAX_WAITING = 1024 * 1024;

/**
 * Appends the events of a run to the log. Events that arrive while Redis is busy are appended together.
 *
 * The log never changes, because clients have read it. If an earlier run has left events, those of this run must be equal
 * to them. As soon as one differs, no more are appended. The last event, which contains the complete response, follows.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #recorded: readonly string[];
  #next: number;
  #isDifferent: boolean;
  #waiting: string[] = [];
  #waitingChars = 0;
  #isWriting = false;
  #writing: Promise<void> | undefined;
  #failure: unknown;

  /** @param first number of the run's first event; the events before it were written when the client sent the request */
  constructor(options: EventWriterOptions, first: number) {
    this.#options = options;
    this.#recorded = options.recorded ?? [];
    this.#isDifferent = options.recorded === undefined;
    this.#next = first;
  }

  /** @throws the error of an earlier write */
  async write(event: ResponseEvent): Promise<void> {
    if (this.#isDifferent) return;
    const text = encodeResponseEvent(event, this.#next);
    const recorded = this.#recorded[this.#next];
    if (recorded !== undefined && recorded !== text) {
      this.#isDifferent = true;
      return;
    }
    this.#next += 1;
    if (recorded !== undefined) return;
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (!this.#isWriting) this.#writing = this.#writeAll();
    if (this.#waitingChars > MAX_WAITING) await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits until all events are in the log. @throws the error of a write */
  async end(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Never throws. */
  async #writeAll(): Promise<void> {
    const { jobs, claim, onLost } = this.#options;
    this.#isWriting = true;
    try {
      while (this.#waiting.length > 0) {
        const events = this.#waiting;
        const first = this.#next - events.length;
        this.#waiting = [];
        this.#waitingChars = 0;
        if (!(await jobs.append(claim, first, events))) return onLost();
      }
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#isWriting = false;
    }
  }
}

/** Reads all events of a log. Undefined if some were removed. */
export async function readRecorded(
  log: Pick<EventLog, 'read'>,
  { owner, id }: Pick<ResponseJob, 'owner' | 'id'>,
): Promise<string[] | undefined> {
  const recorded: string[] = [];
  for (;;) {
    const part = await log.read(owner, id, recorded.length - 1);
    if (!part || part.events.length === 0) return recorded;
    if (part.first > recorded.length) return undefined;
    recorded.push(...part.events);
  }
}
