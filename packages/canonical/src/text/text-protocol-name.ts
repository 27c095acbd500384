export const TEXT_PROTOCOLS = ['chat-completions', 'responses', 'messages', 'generative-content'] as const;

export type TextProtocolName = (typeof TEXT_PROTOCOLS)[number];

/** Protocols of text upstreams: those of clients, and Bedrock's Converse, which no client of the gateway speaks. */
export const UPSTREAM_PROTOCOLS = [...TEXT_PROTOCOLS, 'converse'] as const;

export type UpstreamProtocolName = (typeof UPSTREAM_PROTOCOLS)[number];
