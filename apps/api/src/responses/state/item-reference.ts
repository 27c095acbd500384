import { isRecord } from '@sluice/protocols';

/** The id of an item reference, whose type may be left out. */
export function referencedId(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { type, id, role, content } = item;
  const isReference = type === 'item_reference' || (isAbsent(type) && (isAbsent(role) || isAbsent(content)));
  return isReference ? textOf(id) : undefined;
}

/**
 * The id of an item that is sent, but whose content its vendor looks up by this id: reasoning that is not sealed, a picture
 * that is not there (OpenAI, "Reasoning" and "Image generation" guides).
 */
export function lookedUpId(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { type, id } = item;
  const isLookedUp =
    (type === 'reasoning' && textOf(item['encrypted_content']) === undefined) ||
    (type === 'image_generation_call' && textOf(item['result']) === undefined);
  return isLookedUp ? textOf(id) : undefined;
}

/** Whether an item says something of its own, so that it is worth something without being looked up. */
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
