import { chatCompletions } from './chat-completions.ts';
import { generateContent } from './generate-content.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import type { TextProtocol } from './text-protocol.ts';

export const PROTOCOLS: readonly TextProtocol[] = [chatCompletions, responses, messages, generateContent];

/** Returns the protocol with an id, or the first one. */
export function protocolOf(id: string | undefined): TextProtocol {
  return PROTOCOLS.find((protocol) => protocol.id === id) ?? chatCompletions;
}
