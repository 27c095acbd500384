import { isRecord } from '@sluice/protocols';

/** The type is optional. */
export function referencedId(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { type, id, role, content } = item;
  const isReference = type === 'item_reference' || (isAbsent(type) && (isAbsent(role) || isAbsent(content)));
  return isReference ? textOf(id) : undefined;
}

/**
 * The id of an item whose content its vendor looks up: reasoning without encrypted content, or an image without data
 * (OpenAI, "Reasoning" and "Image generation" guides).
 */
export function lookedUpId(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { type, id } = item;
  const isLookedUp =
    (type === 'reasoning' && textOf(item['encrypted_content']) === undefined) ||
    (type === 'image_generation_call' && textOf(item['result']) === undefined);
  return isLookedUp ? textOf(id) : undefined;
}

/** Whether an item is useful without its vendor's lookup. */
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
