import type { ForeignFields, LossReport } from '@sluice/canonical';

export function knownFields(
  { fields }: ForeignFields,
  known: readonly string[],
  report: LossReport,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields);
  for (const [field] of entries) if (!known.includes(field)) report({ field, how: 'dropped' });
  return Object.fromEntries(entries.filter(([field]) => known.includes(field)));
}
