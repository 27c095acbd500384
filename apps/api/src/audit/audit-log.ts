import { GatewayError, unavailableMessage } from '@sluice/canonical';
import { invalidParam } from '@sluice/ledger';
import type { Redis } from 'ioredis';
import { z } from 'zod';

const ROLES = ['admin', 'operator', 'viewer', 'holder'] as const;

const ReloadSchema = z.object({
  trigger: z
    .string()
    .describe('`file`, `signal`, `redis`, `request` (`sluice reload`), or `admin` (`PUT /admin/v1/config`).'),
  changes: z
    .array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }))
    .describe('The first 20 changed fields, without secrets and without values of more than 200 characters.'),
  change_count: z.int().describe('Number of changed fields.'),
  restart: z.array(z.string()).describe('Changed fields that apply after a restart.'),
});

/** A change, and who made it. It contains no body and no secret. */
export const ChangeSchema = z.object({
  actor: z.object({
    type: z.enum(['admin_key', 'api_key', 'oidc', 'system']),
    name: z.string().describe('`admin`, the name of the API key, the e-mail address of the OIDC user, or `system`.'),
    subject: z.string().optional().describe('The `sub` of an OIDC user.'),
    session_id: z.string().optional().describe('The console session. Absent for a call with a key.'),
  }),
  role: z.enum(ROLES).optional().describe('Absent for `system`, and for a user of single sign-on who has no role.'),
  operation: z
    .string()
    .describe('Id of the operation, as in `/openapi.json`; `consoleSignIn` and others for sessions; `configReload`.'),
  method: z.string().optional().describe('Absent for `system`, like `path`, `status`, and `request_id`.'),
  path: z.string().optional().describe('The path of the request, without its query.'),
  target: z
    .string()
    .optional()
    .describe('Id or name of the changed object. For a reload, the version of the configuration.'),
  status: z.int().optional().describe('The status of the response. From 400, nothing was changed, unless it is 5xx.'),
  request_id: z.string().optional(),
  reload: ReloadSchema.optional().describe('Only for a reload of the configuration.'),
});

export type Change = z.output<typeof ChangeSchema>;

interface AuditEntry extends Change {
  id: string;
  /** Unix milliseconds. */
  at: number;
}

interface AuditSearch {
  /** A name, a subject, or a session. */
  actor?: string | undefined;
  operation?: string | undefined;
  target?: string | undefined;
  /** Unix milliseconds. */
  start?: number | undefined;
  /** Exclusive. */
  end?: number | undefined;
  limit: number;
  /** Id of the last entry of the previous page. */
  after?: string | undefined;
}

export interface AuditLog {
  /** Adds an entry. @throws if Redis does not store it */
  add(change: Change): Promise<void>;
  /** Newest first. @throws GatewayError `invalid_request` for an invalid `after`; `store_unavailable` */
  search(search: AuditSearch): Promise<{ entries: AuditEntry[]; next: string | undefined }>;
}

/** Approximate maximum of each stream. */
const MAX_ENTRIES = 10_000;
const PAGE = 500;
const ENTRY_ID = /^aud_(\d{1,15})-(\d{1,10})-([oh])$/;

/**
 * Holders of API keys and users without a role have another stream, so that they cannot push the entries of operators
 * out of the log.
 * The letter is the end of an entry's id, and makes it unique.
 */
const STREAMS = { o: 'audit', h: 'audit-of-holders' } as const;
type Letter = keyof typeof STREAMS;

export function createAuditLog({ redis, prefix }: { redis: Redis; prefix: string }): AuditLog {
  const keyOf = (letter: Letter): string => `{${prefix}}:${STREAMS[letter]}`;
  return {
    async add(change) {
      const { actor, role } = change;
      const isOperator = actor.type === 'system' || (role !== undefined && role !== 'holder');
      const key = keyOf(isOperator ? 'o' : 'h');
      await redis.xadd(key, 'MAXLEN', '~', MAX_ENTRIES, '*', 'entry', JSON.stringify(change));
    },
    async search({ limit, after, start = 0, end, ...filters }) {
      const cursor = after === undefined ? undefined : parseId(after);
      const first = end === undefined ? '+' : `(${Math.max(0, end)}-0`;
      const readers = (['o', 'h'] as const).map((letter) =>
        readStream(redis, keyOf(letter), letter, {
          first: startOf(first, end, cursor, letter),
          last: start,
          texts: Object.values(filters).flatMap((value) => (value === undefined ? [] : [JSON.stringify(value)])),
        }),
      );
      try {
        const found: AuditEntry[] = [];
        for await (const entry of merged(readers)) {
          if (matches(entry, filters)) found.push(entry);
          if (found.length > limit) break;
        }
        const entries = found.slice(0, limit);
        return { entries, next: found.length > limit ? entries.at(-1)?.id : undefined };
      } catch (error) {
        throw new GatewayError('store_unavailable', unavailableMessage('audit log'), {
          retryAfterMs: 1_000,
          cause: error,
        });
      }
    },
  };
}

interface Position {
  ms: number;
  seq: number;
  letter: string;
}

/** @throws GatewayError `invalid_request` */
function parseId(id: string): Position {
  const [, ms, seq, letter] = ENTRY_ID.exec(id) ?? [];
  if (letter === undefined) throw invalidParam('after', 'must be `next` of the previous page');
  return { ms: Number(ms), seq: Number(seq), letter };
}

/** Returns the upper bound of a stream. Of two entries with the same time, that of `h` is older. */
function startOf(first: string, end: number | undefined, cursor: Position | undefined, letter: string): string {
  if (!cursor || (end !== undefined && cursor.ms >= end)) return first;
  return `${cursor.letter === 'h' || letter === 'o' ? '(' : ''}${cursor.ms}-${cursor.seq}`;
}

/** Yields the entries of a stream, newest first. Reads only as many pages as are used. `texts` must be in the JSON. */
async function* readStream(
  redis: Redis,
  key: string,
  letter: string,
  { first, last, texts }: { first: string; last: number; texts: readonly string[] },
): AsyncGenerator<AuditEntry> {
  for (let from = first; ;) {
    const page = await redis.xrevrange(key, from, last, 'COUNT', PAGE);
    for (const [id, fields] of page) {
      const text = fields[1] ?? '';
      // Parsing all entries would take much longer than finding the values of the filters in their texts.
      if (!texts.every((one) => text.includes(one))) continue;
      const change = ChangeSchema.safeParse(parsed(text));
      if (change.success) yield { ...change.data, id: `aud_${id}-${letter}`, at: Number(id.split('-', 1)[0]) };
    }
    const oldest = page.at(-1)?.[0];
    if (oldest === undefined || page.length < PAGE) return;
    from = `(${oldest}`;
  }
}

/** Merges entries that are newest first. */
async function* merged(readers: readonly AsyncGenerator<AuditEntry>[]): AsyncGenerator<AuditEntry> {
  const heads = await Promise.all(readers.map(async (reader) => ({ reader, head: await reader.next() })));
  for (;;) {
    const open = heads.flatMap((one) => (one.head.done === true ? [] : [{ one, entry: one.head.value }]));
    const [newest] = open.toSorted((left, right) => compare(right.entry.id, left.entry.id));
    if (!newest) return;
    yield newest.entry;
    newest.one.head = await newest.one.reader.next();
  }
}

function compare(left: string, right: string): number {
  const [one, other] = [parseId(left), parseId(right)];
  return one.ms - other.ms || one.seq - other.seq || (one.letter < other.letter ? -1 : 1);
}

function matches({ actor: who, ...entry }: AuditEntry, { actor, operation, target }: Partial<AuditSearch>): boolean {
  if (actor !== undefined && ![who.name, who.subject, who.session_id].includes(actor)) return false;
  if (operation !== undefined && entry.operation !== operation) return false;
  return target === undefined || entry.target === target;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
