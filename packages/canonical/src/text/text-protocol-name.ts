/** The four text protocols, by the word that the configuration uses for an upstream that speaks one. */
export const TEXT_PROTOCOLS = ['chat-completions', 'responses', 'messages', 'generative-content'] as const;

/** One of {@link TEXT_PROTOCOLS}. */
export type TextProtocolName = (typeof TEXT_PROTOCOLS)[number];
