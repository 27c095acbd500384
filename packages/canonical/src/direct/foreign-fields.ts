import type { LossReport } from '../exchange/loss.ts';

export type DirectProtocolName = 'openai' | 'generative-content' | 'cohere';

/** Request fields without a canonical equivalent. They are passed on only to upstreams of the same protocol. */
export interface ForeignFields {
  protocol: DirectProtocolName;
  fields: Readonly<Record<string, unknown>>;
}

/** Returns the fields if the upstream has the same protocol. Otherwise returns none and reports each field as lost. */
export function fieldsForUpstream(
  { protocol, fields }: ForeignFields,
  upstream: DirectProtocolName,
  report: LossReport,
): Readonly<Record<string, unknown>> {
  if (protocol === upstream) return fields;
  for (const field of Object.keys(fields)) report({ field, how: 'dropped' });
  return {};
}
