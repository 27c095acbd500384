import { isRecord } from '@sluice/protocols';

/** Returns the id of an item reference, whose `type` is optional. */
export function referencedId(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { type, id, role, content } = item;
  const isReference = type === 'item_reference' || (isAbsent(type) && (isAbsent(role) || isAbsent(content)));
  return isReference ? textOf(id) : undefined;
}

/**
 * Returns the id of an item whose content the vendor looks up: reasoning without encrypted content, or an image without
 * data (OpenAI, "Reasoning" and "Image generation" guides).
 */
export function lookedUpId(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { type, id } = item;
  const isLookedUp =
    (type === 'reasoning' && textOf(item['encrypted_content']) === undefined) ||
    (type === 'image_generation_call' && textOf(item['result']) === undefined);
  return isLookedUp ? textOf(id) : undefined;
}

/** Whether an item has its own content, so that the vendor does not need to look it up. */
export function hasContent(item: unknown): item is Record<string, unknown> {
  if (!isRecord(item) || item['type'] !== 'reasoning') return false;
  return [item['summary'], item['content']].some((list) => Array.isArray(list) && list.length > 0);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
