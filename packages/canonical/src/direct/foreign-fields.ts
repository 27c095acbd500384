import type { LossReport } from '../loss.ts';

/** The protocols whose fields may ride along in a wish. */
export type DirectProtocolName = 'openai' | 'generative-content' | 'cohere';

/** Fields of a request that the canonical wish has no place for: they ride along to upstreams of the same protocol. */
export interface ForeignFields {
  protocol: DirectProtocolName;
  fields: Readonly<Record<string, unknown>>;
}

/** The fields that an upstream of a protocol takes as they came; where it speaks another, all of them are told as lost. */
export function ridingFields(
  { protocol, fields }: ForeignFields,
  upstream: DirectProtocolName,
  report: LossReport,
): Readonly<Record<string, unknown>> {
  if (protocol === upstream) return fields;
  for (const field of Object.keys(fields)) report({ field, how: 'dropped' });
  return {};
}
