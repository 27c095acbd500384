import { z } from 'zod';

/** A text by which a list is filtered. */
export const searchText = () =>
  z.string('must be sent once').min(1, 'must not be empty').max(256, 'must be at most 256 characters').optional();

/** For lists whose filters are applied after a page is read. */
export const SPARSE = z.boolean().describe('A page can be short or empty and still have a next page.');

/**
 * A page of a list.
 * @param id of the schema in the API reference
 * @param hasMore {@link SPARSE} if a page can be short
 */
export const pageSchema = <T extends z.ZodType>(item: T, id: string, hasMore = z.boolean()) =>
  z
    .object({
      object: z.literal('list'),
      data: z.array(item),
      has_more: hasMore,
      next: z.string().optional().describe('`after` of the next page.'),
    })
    .meta({ id });

/** Encodes a page. @param next the cursor of the next page; undefined for the last one */
export function showPage<T>(data: readonly T[], next: string | undefined) {
  return { object: 'list' as const, data, has_more: next !== undefined, ...(next !== undefined && { next }) };
}
