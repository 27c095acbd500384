import type { LossReport } from '../loss.ts';

/** Protocols whose own request fields can be passed through. */
export type DirectProtocolName = 'openai' | 'generative-content' | 'cohere';

/** Request fields without a canonical equivalent. They are passed through to upstreams of the same protocol. */
export interface ForeignFields {
  protocol: DirectProtocolName;
  fields: Readonly<Record<string, unknown>>;
}

/** Fields to pass through to an upstream. If it speaks another protocol, each field is reported as lost. */
export function ridingFields(
  { protocol, fields }: ForeignFields,
  upstream: DirectProtocolName,
  report: LossReport,
): Readonly<Record<string, unknown>> {
  if (protocol === upstream) return fields;
  for (const field of Object.keys(fields)) report({ field, how: 'dropped' });
  return {};
}
