import { cutText, GatewayError, type MediaKind, type MediaTask, TASK_STATUSES } from '@sluice/canonical';
import { nextPositions, type Position } from './search-tasks.ts';
import type { TaskRecord } from '../store/task-record.ts';
import type { EngineContext } from '../engine/engine-context.ts';
import { exists } from '../engine/find-task.ts';
import { MAX_EXAMINED, matchesFilter, smallestIndex, type TaskFilter } from '../engine/task-filter.ts';

export interface TaskBrowsing extends TaskFilter {
  /** Name of a key. If absent, the tasks of all keys are listed. Required with a user or labels. */
  owner?: string | undefined;
  kind?: MediaKind | undefined;
  model?: string | undefined;
  /** Id of the video of which the tasks are remixes. */
  remixedFrom?: string | undefined;
  /** Whether the tasks have the beginning of their prompts. */
  withPrompts?: boolean | undefined;
  /** The `next` cursor of the previous page. */
  after?: string | undefined;
  limit: number;
}

export interface BrowsedTasks {
  tasks: MediaTask[];
  /** Cursor of the next page; absent on the last page. Even a short or empty page may have a next page. */
  next?: string;
}

type BrowseContext = Pick<EngineContext, 'redis' | 'keys' | 'store' | 'now'>;

const BATCH = 100;
/** Maximum length of a prompt in a list, in characters. */
const MAX_PROMPT = 300;

/**
 * Lists tasks in all states, newest first. With an owner, reads the index of its tasks, and otherwise the indexes of
 * the states. @throws GatewayError `invalid_request` for an invalid cursor
 */
export async function browseTasks(context: BrowseContext, browsing: TaskBrowsing): Promise<BrowsedTasks> {
  const tasks: TaskRecord[] = [];
  let position = browsing.after === undefined ? undefined : parseCursor(browsing.after);
  for (let examined = 0; ;) {
    const ids = await nextIds(context, browsing, position);
    if (ids.length === 0) return { tasks: await withPrompts(context, browsing, tasks) };
    const records = await context.store.loadStates(ids);
    for (const [at, id] of ids.entries()) {
      const record = records[at];
      // The index by owner has no times, and its order needs none.
      position = { id, createdAt: record?.createdAt ?? position?.createdAt ?? 0 };
      examined += 1;
      if (record && exists(record, context.now()) && matches(record, browsing)) tasks.push(record);
      if (tasks.length === browsing.limit || examined === MAX_EXAMINED) {
        const next = `${position.createdAt}.${id}`;
        return { tasks: await withPrompts(context, browsing, tasks), next };
      }
    }
  }
}

function matches(task: TaskRecord, { kind, model, remixedFrom, ...filter }: TaskBrowsing): boolean {
  return (
    matchesFilter(task, filter) &&
    (kind === undefined || task.kind === kind) &&
    (model === undefined || task.model === model) &&
    (remixedFrom === undefined || task.remixedFrom === remixedFrom)
  );
}

async function nextIds(
  context: BrowseContext,
  { owner, kind, statuses = TASK_STATUSES, ...filter }: TaskBrowsing,
  after: Position | undefined,
): Promise<string[]> {
  if (owner !== undefined) return nextOfOwner(context, await smallestIndex(context, owner, filter), kind, after);
  const positions = await nextPositions(context, { statuses, isNewestFirst: true }, undefined, after);
  return positions.map(({ id }) => id);
}

/** Merges the two kinds, which the index sorts one after the other. */
async function nextOfOwner(
  { redis }: BrowseContext,
  index: string,
  kind: MediaKind | undefined,
  after: Position | undefined,
): Promise<string[]> {
  const lists = await Promise.all(
    (kind === undefined ? (['video', 'image'] as const) : [kind]).map(async (one) => {
      // `\x60` is the character after `_`.
      const start = after === undefined ? `(${one}\x60` : `(${one}_${suffixOf(after.id)}`;
      return redis.zrange(index, start, `[${one}_`, 'BYLEX', 'REV', 'LIMIT', 0, BATCH);
    }),
  );
  // Ids after a kind's last read id are unknown, so later ids of the other kind must wait.
  const ends = lists.flatMap((ids) => (ids.length < BATCH ? [] : [suffixOf(ids.at(-1) ?? '')]));
  return lists
    .flat()
    .filter((id) => ends.every((end) => suffixOf(id) >= end))
    .toSorted((one, other) => (suffixOf(one) < suffixOf(other) ? 1 : -1));
}

/** The part of an id that sorts by time. */
function suffixOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

async function withPrompts(
  { store }: BrowseContext,
  { withPrompts: isWanted = false }: TaskBrowsing,
  tasks: readonly TaskRecord[],
): Promise<MediaTask[]> {
  if (!isWanted) return [...tasks];
  const requests = await Promise.all(tasks.map(({ id }) => store.loadRequest(id)));
  return tasks.map((task, at) => {
    const prompt = requests[at]?.prompt;
    return prompt === undefined ? task : { ...task, prompt: cutText(prompt, MAX_PROMPT) };
  });
}

function parseCursor(text: string): Position {
  const [, createdAt = '', id = ''] = /^(\d{1,15})\.((?:video|image)_\w{1,64})$/.exec(text) ?? [];
  if (id !== '') return { createdAt: Number(createdAt), id };
  throw new GatewayError(
    'invalid_request',
    '`after` must be the `next` of an earlier page. Remove it to start at the first page.',
    { param: 'after' },
  );
}
