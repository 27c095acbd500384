import type { ContentBlock, GenerationRequest, Loss, Message, TextQuirks, TextTarget } from '@sluice/canonical';
import { createTokenCodec } from '../src/text/token-codec.ts';
import { encodeRequest } from '../src/messages/upstream/encode-request.ts';

export const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
export const call = (callId: string, name = 'run', args = '{}'): ContentBlock => ({
  type: 'tool-call',
  callId,
  name,
  kind: 'function',
  arguments: args,
});
export const result = (callId: string, text = 'ok'): ContentBlock => ({
  type: 'tool-result',
  callId,
  kind: 'function',
  content: [{ type: 'text', text }],
});
/** The function that calls refer to. */
export const RUN = { kind: 'function', name: 'run', schema: { type: 'object', properties: {} } } as const;

export const TOKEN_CODEC = createTokenCodec('secret');

export function target(model: string, quirks: TextQuirks = {}): TextTarget {
  return { upstream: 'a', account: 'acc', protocol: 'messages', model, quirks };
}

/** Encodes a request and collects its losses. */
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

/** Creates a message with a cache breakpoint. */
export const marked = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text, cache: {} }] });
