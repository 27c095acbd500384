import {
  GROUP_ITEM_STATES,
  type GroupItem,
  type GroupItemError,
  type GroupItemState,
  type GroupStatus,
  type VideoGroup,
} from '@sluice/canonical';

export type Fields = Readonly<Record<string, string | undefined>>;

/** A group with the fields that workers need. */
export interface StoredGroup extends VideoGroup {
  owner: string;
  /** The headers with which each request is sent. */
  headers: Record<string, string>;
}

/** An item without its request, which can be long. */
export type ItemState = Omit<GroupItem, 'fields'>;

export function parseGroup(fields: Fields): StoredGroup {
  const text = (name: string): string => fields[name] ?? '';
  const count = (name: string): number => Number(fields[name] ?? 0);
  const optional = <K extends string>(name: K) =>
    // The cast is safe because the object has only this key.
    (text(name) === '' ? {} : { [name]: count(name) }) as Partial<Record<K, number>>;
  // The casts are safe because only this package writes the record.
  return {
    id: text('id'),
    owner: text('owner'),
    status: text('status') as GroupStatus,
    counts: Object.fromEntries(
      GROUP_ITEM_STATES.map((state) => [state, count(`n:${state}`)] as const),
    ) as VideoGroup['counts'],
    createdAt: count('createdAt'),
    ...optional('endedAt'),
    ...optional('expiresAt'),
    ...optional('estimatedNanos'),
    ...optional('maxCostNanos'),
    costNanos: count('costNanos'),
    unpriced: text('unpriced') === '1',
    headers: JSON.parse(text('headers')) as Record<string, string>,
  };
}

const ITEM_FIELDS = ['state', 'retries', 'task', 'previous', 'error'] as const;

/** The names of the fields of an item, in the order in which {@link parseItem} expects their values. */
export function itemFields(index: number): string[] {
  return ITEM_FIELDS.map((name) => `${index}:${name}`);
}

export function parseItem(index: number, values: readonly (string | null)[]): ItemState {
  const [state, retries, task, previous, error] = values.map((value) => value ?? '');
  return {
    index,
    // The casts are safe because only this package writes the record.
    state: state as GroupItemState,
    retries: Number(retries),
    previousTaskIds: previous ? previous.split(',') : [],
    ...(task && { taskId: task }),
    ...(error && { error: JSON.parse(error) as GroupItemError }),
  };
}
