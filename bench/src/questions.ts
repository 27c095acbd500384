/** A question from the benchmark to a process under test. */
export interface Question {
  ask: string;
  id: number;
  argument: unknown;
}

/** Its answer. */
export interface Answer {
  answerTo: number;
  value?: unknown;
  failure?: string;
}

/** What a process can be asked, by name. */
export type Answers = Record<string, (argument: unknown) => unknown>;

/**
 * Answers the benchmark's questions in a child process. May be called more than once: each caller answers what it
 * knows, so that a preloaded module and the program itself share one channel.
 */
export function answerQuestions(answers: Answers): void {
  process.on('message', (message: Partial<Question>) => {
    const answer = message.ask === undefined ? undefined : answers[message.ask];
    if (!answer || message.id === undefined) return;
    const answerTo = message.id;
    const send = (reply: Omit<Answer, 'answerTo'>) => process.send?.({ answerTo, ...reply });
    Promise.resolve()
      .then(() => answer(message.argument))
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
