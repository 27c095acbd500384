import { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import { parseInput } from '../../json/parse-input.ts';
import { ITEM_PREFIXES } from './item-id.ts';
import { InputItemsQuery, type InputItemsPageSchema, RetrieveResponseQuery } from '../wire/schema.ts';
import { asNonEmptyString, asObjects, asString, type JsonObject, ownMember } from '../../json/values.ts';

/** Returns the input as items with ids, for storage and retrieval. The client's ids and references are kept. */
export function inputItems(body: JsonObject, newId: (prefix: string) => string): JsonObject[] {
  const { input } = body;
  if (typeof input === 'string') return [storedItem({ role: 'user', content: input }, newId)];
  return asObjects(input).map((item) => storedItem(item, newId));
}

function storedItem(item: JsonObject, newId: (prefix: string) => string): JsonObject {
  const type = asString(item['type']) ?? ('role' in item ? 'message' : 'item_reference');
  const complete = {
    ...item,
    id: asNonEmptyString(item['id']) ?? newId(ownMember(ITEM_PREFIXES, type) ?? 'item_'),
    type,
  };
  return type === 'message' ? storedMessage(complete) : complete;
}

/** Converts a message with the short form of `content` (a string) to the complete form, as OpenAI does. */
function storedMessage(message: JsonObject): JsonObject {
  const { content, role, status } = message;
  const part = role === 'assistant' ? { type: 'output_text', annotations: [] } : { type: 'input_text' };
  return {
    ...message,
    status: status ?? 'completed',
    content: typeof content === 'string' ? [{ ...part, text: content }] : (content ?? []),
  };
}

export type InputItemsListing = z.output<typeof InputItemsQuery>;

/** Decodes the query of `GET /v1/responses/{id}/input_items`. @throws GatewayError `invalid_request` */
export function decodeInputItemsQuery(query: unknown): InputItemsListing {
  return parseInput(InputItemsQuery, query ?? {});
}

/** Decodes the query of `GET /v1/responses/{id}`. @throws GatewayError `invalid_request` */
export function decodeRetrieveQuery(query: unknown): { isStream: boolean; startingAfter: number | undefined } {
  const { stream, starting_after: startingAfter } = parseInput(RetrieveResponseQuery, query ?? {});
  return { isStream: stream === 'true' || stream === '1', startingAfter };
}

/**
 * @param items items in conversation order
 * @throws GatewayError `item_not_found` if no item has the id `after`
 */
export function inputItemsPage(
  items: readonly JsonObject[],
  { limit, after, order }: InputItemsListing,
): z.output<typeof InputItemsPageSchema> {
  const ordered = order === 'asc' ? items : items.toReversed();
  const before = after === undefined ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== undefined && before === -1) {
    throw new GatewayError(
      'item_not_found',
      `Item \`${after}\` does not exist. Remove \`after\` to start at the first page.`,
      { param: 'after' },
    );
  }
  const page = ordered.slice(before + 1, before + 1 + limit);
  const data = page.map((item) => Object.assign({}, item, { type: String(item['type']), id: String(item['id']) }));
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: before + 1 + limit < ordered.length,
  };
}
