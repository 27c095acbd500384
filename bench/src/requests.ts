/** A request from the benchmark to a process under test. */
export interface BenchRequest {
  ask: string;
  id: number;
  argument: unknown;
}

export interface Answer {
  responseTo: number;
  value?: unknown;
  failure?: string;
}

/** Handlers by name. */
export type Handlers = Record<string, (argument: unknown) => unknown>;

/**
 * Answers the benchmark's requests in a child process. May be called more than once: each caller answers the requests
 * it knows, so that a preloaded module and the program itself share one channel.
 */
export function respondToRequests(responses: Handlers): void {
  process.on('message', (message: Partial<BenchRequest>) => {
    const response = message.ask === undefined ? undefined : responses[message.ask];
    if (!response || message.id === undefined) return;
    const responseTo = message.id;
    const send = (reply: Omit<Answer, 'responseTo'>) => process.send?.({ responseTo, ...reply });
    Promise.resolve()
      .then(() => response(message.argument))
      .then(
        (value) => send({ value }),
        (error: unknown) => send({ failure: String(error) }),
      );
  });
}

/** Reports to the benchmark that this program is ready, and exits with it. */
export function announceReady(url?: string): void {
  process.on('disconnect', () => process.exit(0));
  process.send?.({ type: 'ready', url });
}
