import { GatewayError } from '@sluice/canonical';
import { parseInput } from '../json/parse-input.ts';
import type { ModelListStyle } from './model-list-style.ts';
import { ListGenerativeModelsSchema, ListModelsSchema, MAX_MODELS } from './schema.ts';

/** Which part of a list is wanted. */
export interface ModelPaging {
  limit: number;
  /** Id after which the page begins. */
  after?: string;
  /** Id before which the page ends; of no meaning beside `after`. */
  before?: string;
  /** The client's field that holds the id, told when there is no such model. */
  cursor?: string;
}

/** A part of a list. */
export interface ModelPage<T> {
  models: T[];
  /** Whether there are more in the direction in which the client reads. */
  hasMore: boolean;
}

/**
 * Reads what a style's query says of paging.
 * @throws GatewayError `invalid_request`
 */
export function decodeModelPaging(style: ModelListStyle, query: unknown): ModelPaging {
  if (style === 'generative') {
    const { pageSize, pageToken } = parseInput(ListGenerativeModelsSchema, query ?? {});
    const limit = pageSize === undefined || pageSize === 0 ? MAX_MODELS : pageSize;
    // The first page's token is the empty text.
    if (pageToken === undefined || pageToken === '') return { limit };
    return { limit, after: Buffer.from(pageToken, 'base64url').toString(), cursor: 'pageToken' };
  }
  const { limit = MAX_MODELS, after_id: after, before_id: before } = parseInput(ListModelsSchema, query ?? {});
  if (after !== undefined) return { limit, after, cursor: 'after_id' };
  return before === undefined ? { limit } : { limit, before, cursor: 'before_id' };
}

/** What the generative style's client sends to get the page after a model. */
export function pageTokenAfter(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/**
 * Cuts a page out of a list.
 * @throws GatewayError `invalid_request` when the model that the page hangs on is not in the list
 */
export function modelPage<T extends { id: string }>(all: readonly T[], paging: ModelPaging): ModelPage<T> {
  const { limit, after, before } = paging;
  if (after !== undefined) {
    const start = indexOf(all, after, paging) + 1;
    return { models: all.slice(start, start + limit), hasMore: start + limit < all.length };
  }
  if (before !== undefined) {
    const end = indexOf(all, before, paging);
    const start = Math.max(0, end - limit);
    return { models: all.slice(start, end), hasMore: start > 0 };
  }
  return { models: all.slice(0, limit), hasMore: limit < all.length };
}

function indexOf(all: readonly { id: string }[], id: string, { cursor = 'after_id' }: ModelPaging): number {
  const index = all.findIndex((model) => model.id === id);
  if (index !== -1) return index;
  throw new GatewayError('invalid_request', `${cursor} names no model. Leave it out to begin anew.`, { param: cursor });
}
