import { GatewayError, GATEWAY_MESSAGES } from '@sluice/canonical';

interface StoppableSession {
  stop(): void;
  ended: Promise<unknown>;
}

/** The open sessions of the process, which end when it stops. */
export class RealtimeSessions {
  readonly #open = new Set<StoppableSession>();
  readonly #stopping = new AbortController();

  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** @throws GatewayError `no_upstream` if the process is stopping */
  expectOpen(): void {
    if (!this.#stopping.signal.aborted) return;
    throw new GatewayError('no_upstream', GATEWAY_MESSAGES.serverStopping);
  }

  /** Registers a session. After {@link stop}, it is stopped immediately. */
  add(session: StoppableSession): void {
    this.#open.add(session);
    void session.ended.finally(() => this.#open.delete(session));
    if (this.#stopping.signal.aborted) session.stop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const ended = [...this.#open].map((session) => session.ended);
    for (const session of this.#open) session.stop();
    await Promise.all(ended);
  }
}
