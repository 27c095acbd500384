import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { GatewayError, unavailableMessage } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { z } from 'zod';

/** `holder` is the holder of an API key. The other roles can read the admin API. */
const SESSION_ROLES = ['admin', 'operator', 'viewer', 'holder'] as const;
export type SessionRole = (typeof SESSION_ROLES)[number];

const RecordSchema = z.object({
  id: z.string(),
  role: z.enum(SESSION_ROLES),
  name: z.string(),
  keyHash: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
  userAgent: z.string(),
});

/** A session of the web console, as Redis stores it. Times are Unix milliseconds. */
export interface ConsoleSession {
  /** `ses_` and a part of the token's hash. The token itself is only in the client's cookie. */
  id: string;
  role: SessionRole;
  /** Name of the API key; `admin` for the admin key. */
  name: string;
  /** Identifies the credential of the sign-in. A session is valid only while its credential is. */
  keyHash: string;
  createdAt: number;
  expiresAt: number;
  userAgent: string;
}

/** All methods throw GatewayError `store_unavailable` while Redis is down. */
export interface ConsoleSessions {
  /** @returns the token for the cookie, and the session */
  open(session: Pick<ConsoleSession, 'role' | 'name' | 'keyHash' | 'userAgent'>): Promise<[string, ConsoleSession]>;
  /** Returns the session of a token. The caller checks that its credential is still valid. */
  find(token: string): Promise<ConsoleSession | undefined>;
  /** Returns all sessions that have not expired, newest first. */
  list(): Promise<ConsoleSession[]>;
  end(id: string): Promise<void>;
  /**
   * Counts an attempt to sign in from an address. @throws GatewayError `rate_limited`
   * @returns a function that takes the attempt back, because it succeeded
   */
  countAttempt(address: string): Promise<() => Promise<void>>;
}

export interface ConsoleSessionsOptions {
  redis: Redis;
  prefix: string;
  now: () => number;
  randomBytes: (size: number) => Uint8Array;
}

export const SESSION_MS = 12 * 3_600_000;
const TOKEN_BYTES = 32;
const ATTEMPTS = 10;
const ATTEMPT_WINDOW_S = 60;
const MAX_USER_AGENT = 200;

export function createConsoleSessions({ redis, prefix, now, randomBytes }: ConsoleSessionsOptions): ConsoleSessions {
  const index = `{${prefix}}:console-sessions`;
  const keyOf = (id: string): string => `{${prefix}}:console-session:${id}`;
  return {
    open: (fields) =>
      storing(async () => {
        const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
        const createdAt = now();
        const expiresAt = createdAt + SESSION_MS;
        const userAgent = fields.userAgent.slice(0, MAX_USER_AGENT);
        const session = { ...fields, id: idOf(token), createdAt, expiresAt, userAgent };
        await redis.set(keyOf(session.id), JSON.stringify(session), 'PX', SESSION_MS);
        await redis.zadd(index, expiresAt, session.id);
        return [token, session];
      }),
    find: (token) => storing(async () => parse(await redis.get(keyOf(idOf(token))))),
    list: () =>
      storing(async () => {
        await redis.zremrangebyscore(index, '-inf', now());
        const ids = await redis.zrevrange(index, 0, -1);
        if (ids.length === 0) return [];
        return (await redis.mget(ids.map(keyOf))).flatMap((text) => parse(text) ?? []);
      }),
    end: (id) =>
      storing(async () => {
        await redis.del(keyOf(id));
        await redis.zrem(index, id);
      }),
    countAttempt: (address) =>
      storing(async () => {
        const key = `{${prefix}}:console-attempts:${sha256(address).slice(0, 32)}`;
        await redis.set(key, 0, 'EX', ATTEMPT_WINDOW_S, 'NX');
        if ((await redis.incr(key)) <= ATTEMPTS) return async () => void (await storing(() => redis.decr(key)));
        const retryAfterMs = Math.max(1_000, await redis.pttl(key));
        throw new GatewayError('rate_limited', `Too many attempts to sign in. Retry in a minute.`, { retryAfterMs });
      }),
  };
}

/** Returns the token that a session's changes must have in `x-csrf-token`. Scripts of other sites cannot read it. */
export function csrfTokenOf(token: string): string {
  return createHash('sha256').update(`csrf ${token}`).digest('base64url');
}

export function isCsrfToken(token: string, sent: unknown): boolean {
  if (typeof sent !== 'string') return false;
  const [expected, actual] = [Buffer.from(csrfTokenOf(token)), Buffer.from(sent)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Identifies the admin key in a session. A changed admin key ends the sessions of the old one. */
export function adminKeyHash(adminKey: string, secret: string): string {
  return createHmac('sha256', secret).update(`console admin ${adminKey}`).digest('base64url');
}

function idOf(token: string): string {
  return `ses_${sha256(token).slice(0, 32)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parse(text: string | null): ConsoleSession | undefined {
  if (text === null) return undefined;
  const { data } = RecordSchema.safeParse(JSON.parse(text));
  return data;
}

async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('store_unavailable', unavailableMessage('session store'), {
      retryAfterMs: 1_000,
      cause: error,
    });
  }
}
