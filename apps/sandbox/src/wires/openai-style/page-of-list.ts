import { queryNumber } from '../media/page-of.ts';
import { invalidValue } from './openai-error.ts';

export interface ListQuery {
  Querystring: Record<string, unknown>;
}

interface PageSize {
  /** The largest `limit`. */
  max: number;
  /** The default `limit`. */
  otherwise: number;
}

/**
 * Returns a page of a list, the newest objects first by default.
 * @param all oldest first.
 * @throws WireError 400 for an invalid query.
 */
export function pageOfList<Item extends { id: string }>(
  all: readonly Item[],
  { limit: requested, order = 'desc', after }: Readonly<Record<string, unknown>>,
  { max, otherwise }: PageSize,
): { items: Item[]; hasMore: boolean } {
  const limit = queryNumber(requested, { min: 1, max, otherwise }, () =>
    invalidValue('limit', `Invalid value for 'limit': expected a whole number from 1 to ${max}.`),
  );
  if (order !== 'asc' && order !== 'desc') {
    throw invalidValue('order', "Invalid value for 'order': expected 'asc' or 'desc'.");
  }
  const ordered = order === 'asc' ? all : all.toReversed();
  const at = ordered.findIndex(({ id }) => id === after);
  if (after !== undefined && at === -1) throw invalidValue('after', "Invalid value for 'after': no such object.");
  return { items: ordered.slice(at + 1, at + 1 + limit), hasMore: ordered.length > at + 1 + limit };
}

/** Formats a page. */
export function listObject<Item extends { id: string }>(
  { items, hasMore }: { items: readonly Item[]; hasMore: boolean },
  format: (item: Item) => object,
) {
  const ends = { first_id: items.at(0)?.id ?? null, last_id: items.at(-1)?.id ?? null };
  return { object: 'list', data: items.map(format), ...ends, has_more: hasMore };
}
