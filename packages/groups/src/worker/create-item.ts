import { text as readText } from 'node:stream/consumers';
import { NANOS_PER_USD } from '@sluice/limits';
import type { ItemState, StoredGroup } from '../store/group-record.ts';
import { readRequest } from '../store/read-items.ts';
import { cancelTask, failItem, isUnknownKey, recordItem } from './follow-item.ts';
import type { Lease, WorkerContext } from './worker-context.ts';

const PATH = '/v1/videos';
/** The pause after a refusal that does not name one. */
const DEFAULT_PAUSE_MS = 1_000;

interface Postponed {
  pauseMs: number;
  /** Whether the other items must wait too. Otherwise, e.g. only one Redis server of several is unavailable. */
  isForAll: boolean;
}

/** A group with the fields that all its requests have. */
type SharingGroup = StoredGroup & { shared: Record<string, unknown> };

/**
 * Creates the task of an item, as a client would do with `POST /v1/videos`. The idempotency key is the same in every
 * attempt, so a repeated request finds the task of an earlier one. If the group is being canceled, so is the task.
 * @returns `lost` if another worker has the lease, or when the item is tried again
 */
export async function createItem(
  context: WorkerContext,
  lease: Lease,
  group: SharingGroup,
  item: ItemState,
): Promise<'lost' | 'done' | Postponed> {
  const { redis, keys, settings, now } = context;
  const begun = await redis.groupsBeginItem(keys.root, lease.id, lease.token, now() + settings.leaseMs, item.index);
  if (begun !== 'begun') return begun;
  let reply: Awaited<ReturnType<typeof post>>;
  try {
    reply = await post(context, group, item);
  } catch (error) {
    if (!isUnknownKey(error)) throw error;
    await failItem(context, lease.id, item, error);
    return 'done';
  }
  const { status, headers, text } = reply;
  if (status === 200) {
    // The cast is safe because the API returns a video.
    const { id: taskId } = JSON.parse(text) as { id: string };
    await recordItem(context, lease.id, item, { state: 'queued', taskId });
    // A task that was created only now has probably not been submitted yet, so it costs nothing.
    if (group.status === 'cancelling') await cancelTask(context, group, taskId);
    return 'done';
  }
  const refusal = refusalOf(status, text);
  const isRateLimited = status === 429 && refusal.code !== 'insufficient_quota';
  if (status < 500 && !isRateLimited) {
    await failItem(context, lease.id, item, refusal);
    return 'done';
  }
  // After any other failure, the task may exist, so the intent stays.
  if (isRateLimited) await recordItem(context, lease.id, item, { state: 'pending' });
  const seconds = Number(headers['retry-after'] ?? NaN);
  return { pauseMs: seconds > 0 ? seconds * 1_000 : DEFAULT_PAUSE_MS, isForAll: isRateLimited };
}

async function post({ redis, keys, serve, aborting }: WorkerContext, group: SharingGroup, item: ItemState) {
  const { id, owner, shared, headers, maxCostNanos } = group;
  const { index, retries } = item;
  const { fields, maxNanos } = await readRequest(redis, keys, id, index);
  const isCapped = maxCostNanos !== undefined && maxNanos !== undefined;
  const body = { ...shared, ...fields, ...(isCapped && { max_cost_usd: maxNanos / NANOS_PER_USD }) };
  const name = `${id}-${index}-${retries}`;
  const reply = await serve({
    owner,
    path: PATH,
    headers: { ...headers, 'idempotency-key': name, 'x-request-id': name },
    body: JSON.stringify(body),
    signal: aborting,
  });
  return { status: reply.status, headers: reply.headers, text: await readText(reply.body) };
}

/** Reads an error in OpenAI's format. */
function refusalOf(status: number, text: string): { code: string; message: string } {
  try {
    // The cast is safe because the API returns errors of the videos protocol in this format.
    const { error } = JSON.parse(text) as { error: { code: string | null; message: string } };
    return { code: error.code ?? 'invalid_request', message: error.message };
  } catch {
    return { code: 'internal_error', message: `The request failed with status ${status}.` };
  }
}
