import { z } from 'zod';

/** A text by which a list is filtered. */
export const searchText = () =>
  z.string('must be sent once').min(1, 'must not be empty').max(256, 'must be at most 256 characters').optional();

/** @param id of the schema in the API reference */
export const pageSchema = <T extends z.ZodType>(item: T, id: string) =>
  z
    .object({
      object: z.literal('list'),
      data: z.array(item),
      has_more: z.boolean().describe('A page can be short or empty and still have a next page.'),
      next: z.string().optional().describe('`after` of the next page.'),
    })
    .meta({ id });

export function showPage(data: readonly object[], next: string | undefined) {
  return { object: 'list', data, has_more: next !== undefined, ...(next !== undefined && { next }) };
}
