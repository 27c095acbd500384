import type { FastifyReply } from 'fastify';
import type { LoggedAttempt } from '../http/request-log.ts';
import type { AttemptOutcome, AttemptTarget } from './with-fallback.ts';

const ATTEMPTS_HEADER = 'x-sluice-attempts';

/** Records an attempt for the request's log line. Also counts the upstream calls in a response header. */
export function recordAttempt(
  reply: Pick<FastifyReply, 'header' | 'request'>,
  { upstream, credential, model }: AttemptTarget,
  outcome: AttemptOutcome,
): void {
  // The request's own log line contains internal errors.
  if (outcome.result === 'failed' && outcome.failure.error.code === 'internal_error') return;
  const attempt: LoggedAttempt = {
    upstream,
    ...(credential !== undefined && { credential }),
    upstream_model: model,
    result: resultOf(outcome),
    ms: 'ms' in outcome ? outcome.ms : undefined,
  };
  const attempts = (reply.request.attempts ??= []);
  attempts.push(attempt);
  void reply.header(ATTEMPTS_HEADER, String(attempts.filter(isCall).length));
}

/** Whether no attempt failed, so that the log line needs no list of them. */
export function isServedFirst(attempts: readonly LoggedAttempt[]): boolean {
  return attempts.every(({ result }) => result === 'served');
}

/** Returns the header that counts upstream calls. Empty if no upstream was selected. */
export function attemptsHeader(reply: Pick<FastifyReply, 'getHeader'>): Record<string, string> {
  const value = reply.getHeader(ATTEMPTS_HEADER);
  return value === undefined ? {} : { [ATTEMPTS_HEADER]: String(value) };
}

/** Returns the attempt's result as the log and the metrics name it. */
export function resultOf(outcome: AttemptOutcome): string {
  if (outcome.result !== 'failed') return outcome.result;
  const { error, source } = outcome.failure;
  return source === 'not-sent' ? 'unsupported' : error.code;
}

/** Results of targets that were not called. */
const SKIPPED: ReadonlySet<string> = new Set(['circuit_open', 'no_credential', 'retry_budget', 'unsupported']);

export function isSkipped(result: string): boolean {
  return SKIPPED.has(result);
}

function isCall({ result }: LoggedAttempt): boolean {
  return !isSkipped(result);
}
