import type { ContentBlock, GenerationRequest, Loss, Message, TextQuirks, TextTarget } from '@sluice/canonical';
import { createTokenCodec } from '../src/text/token-codec.ts';
import { encodeRequest } from '../src/messages/upstream/encode-request.ts';

/** A message. */
export const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
/** A call of a function. */
export const call = (callId: string, name = 'run', args = '{}'): ContentBlock => ({
  type: 'tool-call',
  callId,
  name,
  kind: 'function',
  arguments: args,
});
/** What a call came to. */
export const result = (callId: string, text = 'ok'): ContentBlock => ({
  type: 'tool-result',
  callId,
  kind: 'function',
  content: [{ type: 'text', text }],
});
/** The function that is called. */
export const RUN = { kind: 'function', name: 'run', schema: { type: 'object', properties: {} } } as const;

/** Seals what clients carry. */
export const TOKEN_CODEC = createTokenCodec('secret');

/** Who is asked. */
export function target(model: string, quirks: TextQuirks = {}): TextTarget {
  return { upstream: 'a', account: 'acc', protocol: 'messages', model, quirks };
}

/** Writes a request; gives what was lost beside it. */
export function encode(params: Partial<GenerationRequest>, model = 'claude-sonnet-4-5', quirks: TextQuirks = {}) {
  const losses: Loss[] = [];
  const request: GenerationRequest = {
    protocol: 'chat-completions',
    model: 'm',
    stream: false,
    messages: [user('Hi')],
    tools: [],
    ...params,
  };
  const body = encodeRequest(request, target(model, quirks), (loss) => losses.push(loss));
  return { body, losses };
}

/** A message that ends what is to be cached. */
export const marked = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text, cache: {} }] });
