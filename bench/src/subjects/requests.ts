/** A request from the benchmark to a measured process. */
export interface BenchRequest {
  call: string;
  id: number;
  argument: unknown;
}

export interface BenchResponse {
  responseTo: number;
  value?: unknown;
  failure?: string;
}

/** Request handlers, keyed by name. */
export type Handlers = Record<string, (argument: unknown) => unknown>;

/**
 * Responds to the benchmark's requests in a child process. A preloaded module and the program can both call it and
 * share one IPC channel, because each call handles only its own requests.
 */
export function respondToRequests(responses: Handlers): void {
  process.on('message', (message: Partial<BenchRequest>) => {
    const response = message.call === undefined ? undefined : responses[message.call];
    if (!response || message.id === undefined) return;
    const responseTo = message.id;
    const send = (reply: Omit<BenchResponse, 'responseTo'>) => process.send?.({ responseTo, ...reply });
    Promise.resolve()
      .then(() => response(message.argument))
      .then(
        (value) => send({ value }),
        (error: unknown) => send({ failure: String(error) }),
      );
  });
}

/** Reports to the benchmark that this program is ready. The program exits when the benchmark exits. */
export function announceReady(url?: string): void {
  process.on('disconnect', () => process.exit(0));
  process.send?.({ type: 'ready', url });
}
