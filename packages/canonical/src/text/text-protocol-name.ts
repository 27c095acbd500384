export const TEXT_PROTOCOLS = ['chat-completions', 'responses', 'messages', 'generative-content'] as const;

export type TextProtocolName = (typeof TEXT_PROTOCOLS)[number];
