import type { LossReport } from '../loss.ts';

export type DirectProtocolName = 'openai' | 'generative-content' | 'cohere';

/** Request fields without a canonical equivalent. They are passed through to upstreams of the same protocol. */
export interface ForeignFields {
  protocol: DirectProtocolName;
  fields: Readonly<Record<string, unknown>>;
}

/** The fields if the upstream has the same protocol; otherwise none, and each is reported as lost. */
export function fieldsForUpstream(
  { protocol, fields }: ForeignFields,
  upstream: DirectProtocolName,
  report: LossReport,
): Readonly<Record<string, unknown>> {
  if (protocol === upstream) return fields;
  for (const field of Object.keys(fields)) report({ field, how: 'dropped' });
  return {};
}
