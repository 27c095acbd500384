import { openAiError } from '../openai-style/openai-error.ts';
import type { StoredItem } from './conversation.ts';

/** Stores a conversation's items and sends changes to the client. */
export function createItemList(send: (event: object) => void, beta: boolean) {
  let items: StoredItem[] = [];

  /** @throws WireError 404 if there is no item with this id. */
  function find(id: string): StoredItem {
    const item = items.find(({ object }) => object.id === id);
    if (item !== undefined) return item;
    const message = `Error: item with id '${id}' does not exist.`;
    throw openAiError(404, message, { param: 'item_id', code: 'item_not_found' });
  }

  return {
    all: (): readonly StoredItem[] => items,
    /** @param after an item id, or `root` for the start. Default: the end. */
    add(item: StoredItem, after?: string | null): void {
      if (after !== undefined && after !== null && after !== 'root') find(after);
      const at = after === 'root' ? 0 : items.findIndex(({ object }) => object.id === after) + 1;
      const position = after === undefined || after === null ? items.length : at;
      const event = { previous_item_id: items[position - 1]?.object.id ?? null, item: item.object };
      items = items.toSpliced(position, 0, item);
      if (beta) return send({ type: 'conversation.item.created', ...event });
      send({ type: 'conversation.item.added', ...event });
      send({ type: 'conversation.item.done', ...event });
    },
    append(item: StoredItem): void {
      items = [...items, item];
    },
    find,
    /** @throws WireError 404 if there is no item with this id. */
    remove(id: string): void {
      const removed = find(id);
      items = items.filter((item) => item !== removed);
    },
  };
}

export type ItemList = ReturnType<typeof createItemList>;
