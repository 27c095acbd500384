import type { ContentBlock, GenerationRequest, Loss, MediaBlock, Message, TextTarget } from '@sluice/canonical';
import type { ResponseCreateParams, ResponseInputItem } from 'openai/resources/responses/responses';
import { encodeRequest } from '../src/responses/upstream/encode-request.ts';
import type { JsonObject } from '../src/json/values.ts';

export const target: TextTarget = {
  upstream: 'u',
  account: 'acct',
  protocol: 'responses',
  model: 'some-model',
  quirks: {},
};

/** Encodes a request. Returns the body as sent, and the losses. */
export function encode(
  request: Partial<GenerationRequest>,
  at: Partial<TextTarget> = {},
): { body: JsonObject & Partial<ResponseCreateParams>; losses: Loss[] } {
  const losses: Loss[] = [];
  const complete: GenerationRequest = {
    protocol: 'chat-completions',
    model: 'requested-model',
    stream: false,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [],
    ...request,
  };
  const body = encodeRequest(complete, { ...target, ...at }, (loss) => losses.push(loss));
  // The cast is safe because the encoder returns an object.
  return { body: JSON.parse(JSON.stringify(body)) as JsonObject, losses };
}

/** Encodes messages and returns the `input`. */
export function inputOf(messages: Message[], at: Partial<TextTarget> = {}): unknown {
  return encode({ messages }, at).body.input;
}

export const message = (role: Message['role'], ...content: (ContentBlock | string)[]): Message => ({
  role,
  content: content.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)),
});
export const call = (callId: string, args = '{}'): ContentBlock => ({
  type: 'tool-call',
  callId,
  name: 'f',
  kind: 'function',
  arguments: args,
});
export const result = (callId: string, text: string, isError = false): ContentBlock => ({
  type: 'tool-result',
  callId,
  kind: 'function',
  content: [{ type: 'text', text }],
  ...(isError && { isError }),
});
/** Creates an encoded user message. */
export const user = (text: string): ResponseInputItem.Message => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
export const image: MediaBlock = {
  type: 'media',
  kind: 'image',
  source: { from: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
};
