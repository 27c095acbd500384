/** A question from the benchmark to a process under test. */
export interface Question {
  ask: string;
  id: number;
  argument: unknown;
}

/** Its answer. */
export interface Answer {
  responseTo: number;
  value?: unknown;
  failure?: string;
}

/** What a process can be asked, by name. */
export type Answers = Record<string, (argument: unknown) => unknown>;

/**
 * Answers the benchmark's questions in a child process. May be called more than once: each caller answers what it
 * knows, so that a preloaded module and the program itself share one channel.
 */
export function respondToRequests(responses: Answers): void {
  process.on('message', (message: Partial<Question>) => {
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

/** Tells the benchmark that this program serves, and ends with it. */
export function announceReady(url?: string): void {
  process.on('disconnect', () => process.exit(0));
  process.send?.({ type: 'ready', url });
}
