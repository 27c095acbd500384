import type { Moderation } from '@sluice/canonical';
import type { z } from 'zod';
import type { DirectResponseContext } from '../contracts/direct-protocol.ts';
import type { ModerationSchema } from './schema.ts';

export function encodeModeration(
  { results }: Moderation,
  { model, newId }: Pick<DirectResponseContext<'moderation'>, 'model' | 'newId'>,
): z.output<typeof ModerationSchema> {
  return {
    id: newId('modr-'),
    model,
    results: results.map(({ flagged, categories, scores, appliedInputTypes }) => ({
      flagged,
      categories: { ...categories },
      category_scores: { ...scores },
      ...(appliedInputTypes && { category_applied_input_types: mutable(appliedInputTypes) }),
    })),
  };
}

function mutable(types: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(types).map(([category, kinds]) => [category, [...kinds]]));
}
