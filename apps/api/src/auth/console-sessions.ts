import { createHash, createHmac } from 'node:crypto';
import { GatewayError, isSameSecret, unavailableMessage } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { consoleOwner } from './console-owner.ts';

/** `holder` is the holder of an API key. The other roles can read the admin API. */
const SESSION_ROLES = ['admin', 'operator', 'viewer', 'holder'] as const;
export type SessionRole = (typeof SESSION_ROLES)[number];

const RecordSchema = z.object({
  id: z.string(),
  role: z.enum(SESSION_ROLES),
  name: z.string(),
  keyHash: z.string(),
  subject: z.string().optional(),
  createdAt: z.number(),
  expiresAt: z.number(),
  userAgent: z.string(),
});

/** A session of the web console, as Redis stores it. Times are Unix milliseconds. */
export interface ConsoleSession {
  /** `ses_` and a part of the token's hash. The token itself is only in the client's cookie. */
  id: string;
  role: SessionRole;
  /** Name of the API key; `admin` for the admin key; the e-mail address or name of a user of single sign-on. */
  name: string;
  /** Identifies the credential of the sign-in. A session is valid only while its credential is. */
  keyHash: string;
  /** The `sub` of a user of single sign-on. */
  subject?: string | undefined;
  createdAt: number;
  expiresAt: number;
  userAgent: string;
}

type NewSession = Pick<ConsoleSession, 'role' | 'name' | 'keyHash' | 'subject' | 'userAgent'>;

/** All methods throw GatewayError `store_unavailable` while Redis is down. */
export interface ConsoleSessions {
  /** Ends the holder's oldest session if there are too many. @returns the token for the cookie, and the session */
  open(session: NewSession): Promise<[string, ConsoleSession]>;
  /** Returns the session of a token. The caller checks that its credential is still valid. */
  find(token: string): Promise<ConsoleSession | undefined>;
  /** Names all people of the console who may own webhooks: `console:admin`, and the admins of single sign-on. */
  owners(): Promise<string[]>;
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
  /** The lifetime of a session, in milliseconds. */
  sessionMs: number;
}

const TOKEN_BYTES = 32;
const ATTEMPTS = 10;
const ATTEMPT_WINDOW_S = 60;
const MAX_USER_AGENT = 200;
/** A script that signs in for each call must not fill Redis and the list of sessions. */
const MAX_SESSIONS = 50;

export function createConsoleSessions(options: ConsoleSessionsOptions): ConsoleSessions {
  const { redis, prefix, now, randomBytes, sessionMs } = options;
  const index = `{${prefix}}:console-sessions`;
  const ownersKey = `{${prefix}}:console-owners`;
  const keyOf = (id: string): string => `{${prefix}}:console-session:${id}`;
  const holderKey = (session: Pick<ConsoleSession, 'keyHash' | 'subject'>): string =>
    `{${prefix}}:console-sessions-of:${sha256(`${session.keyHash} ${session.subject ?? ''}`).slice(0, 32)}`;

  /** Adds a session to those of its holder, and ends the oldest ones above the maximum. */
  async function endOldest(session: ConsoleSession): Promise<void> {
    const key = holderKey(session);
    await redis.zadd(key, session.createdAt, session.id);
    await redis.pexpire(key, sessionMs);
    await redis.zremrangebyscore(key, '-inf', session.createdAt - sessionMs);
    const oldest = await redis.zrange(key, '0', String(-MAX_SESSIONS - 1));
    if (oldest.length === 0) return;
    await redis.del(oldest.map(keyOf));
    await redis.zrem(index, oldest);
    await redis.zrem(key, oldest);
  }

  return {
    open: (fields) =>
      storing(async () => {
        const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
        const createdAt = now();
        const expiresAt = createdAt + sessionMs;
        const userAgent = fields.userAgent.slice(0, MAX_USER_AGENT);
        const session = { ...fields, id: idOf(token), createdAt, expiresAt, userAgent };
        await redis.set(keyOf(session.id), JSON.stringify(session), 'PX', sessionMs);
        await redis.zadd(index, expiresAt, session.id);
        await redis.zremrangebyscore(index, '-inf', createdAt);
        await endOldest(session);
        if (session.role === 'admin') await redis.sadd(ownersKey, consoleOwner(session));
        return [token, session];
      }),
    owners: () => storing(async () => [...new Set(await redis.smembers(ownersKey)).add(consoleOwner({ name: '' }))]),
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
        const session = parse(await redis.getdel(keyOf(id)));
        await redis.zrem(index, id);
        if (session) await redis.zrem(holderKey(session), id);
      }),
    countAttempt: (address) =>
      storing(async () => {
        const key = `{${prefix}}:console-attempts:${sha256(address).slice(0, 32)}`;
        if ((await addAttempts(redis, key, 1)) <= ATTEMPTS) {
          return async () => void (await storing(() => addAttempts(redis, key, -1)));
        }
        const retryAfterMs = Math.max(1_000, await redis.pttl(key));
        throw new GatewayError('rate_limited', `Too many attempts to sign in. Retry in a minute.`, { retryAfterMs });
      }),
  };
}

/** Atomic, because a counter without an expiry would refuse its address forever. @returns the attempts of the window */
async function addAttempts(redis: Redis, key: string, change: 1 | -1): Promise<number> {
  const results = await redis.multi().set(key, 0, 'EX', ATTEMPT_WINDOW_S, 'NX').incrby(key, change).exec();
  const [error, attempts] = results?.[1] ?? [new Error('Redis discarded the transaction')];
  if (error) throw error;
  return Number(attempts);
}

/** Returns the token that a session's changes must have in `x-csrf-token`. Scripts of other sites cannot read it. */
export function csrfTokenOf(token: string): string {
  return createHash('sha256').update(`csrf ${token}`).digest('base64url');
}

export function isCsrfToken(token: string, sent: unknown): boolean {
  return typeof sent === 'string' && isSameSecret(csrfTokenOf(token), sent);
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
