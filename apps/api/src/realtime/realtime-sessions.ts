import { GatewayError } from '@sluice/canonical';

/** A session, as far as whoever stops the process cares. */
interface StoppableSession {
  /** Ends it because the process stops. */
  stop(): void;
  /** When both of its ends are closed. */
  ended: Promise<unknown>;
}

/** The sessions of a process. */
export class RealtimeSessions {
  readonly #open = new Set<StoppableSession>();
  readonly #stopping = new AbortController();

  /** Aborts when no more sessions are opened. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** @throws GatewayError `no_upstream` when the process stops */
  expectOpen(): void {
    if (!this.#stopping.signal.aborted) return;
    throw new GatewayError('no_upstream', 'The server is going away and opens no more sessions. Connect again.');
  }

  /** Keeps a session until it is over; one that comes too late is stopped at once. */
  add(session: StoppableSession): void {
    this.#open.add(session);
    void session.ended.finally(() => this.#open.delete(session));
    if (this.#stopping.signal.aborted) session.stop();
  }

  /** Ends all sessions and lets no more in. @returns when both ends of all of them are closed */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const ended = [...this.#open].map((session) => session.ended);
    for (const session of this.#open) session.stop();
    await Promise.all(ended);
  }
}
