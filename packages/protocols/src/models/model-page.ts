import { GatewayError } from '@sluice/canonical';
import { parseInput } from '../json/parse-input.ts';
import type { ModelListStyle } from './model-list-style.ts';
import { ListGenerativeModelsSchema, ListModelsSchema, MAX_MODELS } from './schema.ts';

export interface ModelPaging {
  limit: number;
  /** The page starts after the model with this id. */
  after?: string;
  /** The page ends before the model with this id. Ignored if `after` is set. */
  before?: string;
  /** The name of the client's field that contains the id, for errors. */
  cursor?: string;
}

export interface ModelPage<T> {
  models: T[];
  /** Whether more models follow in the requested direction. */
  hasMore: boolean;
}

/** @throws GatewayError `invalid_request` */
export function decodeModelPaging(style: ModelListStyle, query: unknown): ModelPaging {
  if (style === 'generative') {
    const { pageSize, pageToken } = parseInput(ListGenerativeModelsSchema, query ?? {});
    const limit = pageSize === undefined || pageSize === 0 ? MAX_MODELS : pageSize;
    // An empty token requests the first page.
    if (pageToken === undefined || pageToken === '') return { limit };
    return { limit, after: Buffer.from(pageToken, 'base64url').toString(), cursor: 'pageToken' };
  }
  const { limit = MAX_MODELS, after_id: after, before_id: before } = parseInput(ListModelsSchema, query ?? {});
  if (after !== undefined) return { limit, after, cursor: 'after_id' };
  return before === undefined ? { limit } : { limit, before, cursor: 'before_id' };
}

/** Encodes the page token of the generative style. */
export function pageTokenAfter(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** @throws GatewayError `invalid_request` if the cursor's model is not in the list */
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
  throw new GatewayError(
    'invalid_request',
    `\`${cursor}\` must be the id of a model. Remove it to start at the first page.`,
    { param: cursor },
  );
}
