import type { ResponseProgress } from './response-writer.ts';
import { jsonMembers } from './json-members.ts';

/**
 * The id of a response: that of the answer itself, wherever else clients have written one.
 * @param json with one character for each byte
 * @param inner the member that holds the answer; absent: it is the object itself
 */
export function responseIdIn(json: string, inner?: string): string | undefined {
  const members = jsonMembers(json);
  const at = inner === undefined ? 0 : members?.get(inner)?.start;
  const id = at === undefined ? undefined : jsonMembers(json, at)?.get('id');
  return id && textOf(json.slice(id.start, id.end));
}

/** Notes the id of the item that an event tells whole. */
export function noteItem(data: string, progress: ResponseProgress): void {
  const id = responseIdIn(data, 'item');
  if (id !== undefined) (progress.itemIds ??= []).push(id);
}

/** The ids of a whole answer's items. */
export function itemIdsIn(json: string): string[] {
  const output = jsonMembers(json)?.get('output');
  if (!output) return [];
  const items: unknown = JSON.parse(json.slice(output.start, output.end));
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) =>
    typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? [item.id] : [],
  );
}

function textOf(json: string): string | undefined {
  return json.startsWith('"') ? String(JSON.parse(json)) : undefined;
}
