import type { ForeignFields, LossReport } from '@sluice/canonical';

/** Of a client's other fields, those that a vendor has under the same name whatever protocol the client speaks; the rest is told as lost. */
export function knownFields(
  { fields }: ForeignFields,
  known: readonly string[],
  report: LossReport,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields);
  for (const [field] of entries) if (!known.includes(field)) report({ field, how: 'dropped' });
  return Object.fromEntries(entries.filter(([field]) => known.includes(field)));
}
