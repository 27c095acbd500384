/** The parts that every request of a gateway needs, in the order in which the benchmark adds them. */
export const GATEWAY_PARTS = [
  'node:http',
  'upstream call',
  'Fastify',
  'checks, edits, and usage',
  'authentication',
  'log line',
  'metrics',
  'usage ledger',
  'limits and budget',
] as const;
export type GatewayPart = (typeof GATEWAY_PARTS)[number];
