import type { RedisTokens } from '@sluice/config';
import type { Logger } from '@sluice/telemetry';

export interface IssuedToken {
  token: string;
  /** In Unix milliseconds. */
  expiresAt: number;
}

/** Gets a new token from a cloud. */
export type IssueToken = () => Promise<IssuedToken>;

/** The share of its remaining time after which a token is renewed. */
const RENEW_SHARE = 2 / 3;
const MIN_RENEW_MS = 500;
const RETRY_MS = 10_000;
/** Node fires longer timers at once. */
const MAX_RENEW_MS = 2 ** 31 - 1;

/**
 * Keeps a valid token. It is renewed long before it expires, so that connections never wait for it. If the cloud fails,
 * the current token is used until it expires.
 * @throws the error of the cloud if there is no first token
 */
export async function openTokenSource(issue: IssueToken, logger: Pick<Logger, 'warn'>): Promise<RedisTokens> {
  const listeners = new Set<(token: string) => void>();
  let issued = await issue();
  async function renew(): Promise<void> {
    try {
      issued = await issue();
      for (const listener of listeners) listener(issued.token);
      renewIn(renewAfterMs(issued));
    } catch (error) {
      logger.warn({ err: error }, 'no new token for redis; the current one is used until it expires');
      renewIn(Math.min(RETRY_MS, renewAfterMs(issued)));
    }
  }
  function renewIn(ms: number): void {
    setTimeout(() => void renew(), ms).unref();
  }
  renewIn(renewAfterMs(issued));
  return {
    current: () => issued.token,
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function renewAfterMs({ expiresAt }: IssuedToken): number {
  const ms = (expiresAt - Date.now()) * RENEW_SHARE;
  return Math.min(Math.max(ms, MIN_RENEW_MS), MAX_RENEW_MS);
}
