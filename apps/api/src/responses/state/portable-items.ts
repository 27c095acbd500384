type Item = Record<string, unknown>;

/** Items that only the vendor that created them can read. Without them, the conversation still has its messages. */
const OF_THE_VENDOR: ReadonlySet<unknown> = new Set([
  'reasoning',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
]);

/** Items that stand for other content, which only the vendor has. */
const OPAQUE: ReadonlySet<unknown> = new Set(['compaction', 'item_reference']);

export interface PortableItems {
  items: readonly unknown[];
  /** Types of the omitted items. */
  dropped: readonly string[];
}

/**
 * Prepares the items of a conversation for another vendor account: without the ids that the former one gave them, and
 * without items that only it can read.
 * @returns undefined if an item stands for content that is not here
 */
export function portableItems(items: readonly unknown[]): PortableItems | undefined {
  const portable: unknown[] = [];
  const dropped = new Set<string>();
  for (const item of items) {
    const type = isObject(item) ? item['type'] : undefined;
    if (OPAQUE.has(type)) return undefined;
    if (typeof type === 'string' && OF_THE_VENDOR.has(type)) dropped.add(type);
    else portable.push(isObject(item) ? withoutId(item) : item);
  }
  return { items: portable, dropped: [...dropped] };
}

function withoutId({ id: _id, status: _status, ...item }: Item): Item {
  return item;
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
