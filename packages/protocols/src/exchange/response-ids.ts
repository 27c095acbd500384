import type { ResponseProgress } from './response-writer.ts';
import { asObjects, asString } from '../json/values.ts';
import { jsonMembers } from './json-members.ts';

/** @param inner the member that holds the response; if omitted, the object itself is the response */
export function responseIdIn(json: string, inner?: string): string | undefined {
  const members = jsonMembers(json);
  const at = inner === undefined ? 0 : members?.get(inner)?.start;
  const id = at === undefined ? undefined : jsonMembers(json, at)?.get('id');
  return id && textOf(json.slice(id.start, id.end));
}

export function recordItemId(data: string, progress: ResponseProgress): void {
  const id = responseIdIn(data, 'item');
  if (id !== undefined) (progress.itemIds ??= []).push(id);
}

export function itemIdsIn(json: string): string[] {
  const output = jsonMembers(json)?.get('output');
  if (!output) return [];
  const items = asObjects(JSON.parse(json.slice(output.start, output.end)));
  return items.flatMap(({ id }) => asString(id) ?? []);
}

function textOf(json: string): string | undefined {
  return json.startsWith('"') ? String(JSON.parse(json)) : undefined;
}
