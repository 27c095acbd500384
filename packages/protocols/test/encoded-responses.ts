import type { ContentBlock, GenerationRequest, Loss, MediaBlock, Message, TextTarget } from '@sluice/canonical';
import type { ResponseCreateParams, ResponseInputItem } from 'openai/resources/responses/responses';
import { encodeRequest } from '../src/responses/upstream/encode-request.ts';
import type { JsonObject } from '../src/json/values.ts';

/** Who is asked. */
export const target: TextTarget = {
  upstream: 'u',
  account: 'acct',
  protocol: 'responses',
  model: 'some-model',
  quirks: {},
};

/** Writes a request; gives what was lost beside it. */
export function encode(
  request: Partial<GenerationRequest>,
  at: Partial<TextTarget> = {},
): { body: JsonObject & Partial<ResponseCreateParams>; losses: Loss[] } {
  const losses: Loss[] = [];
  const whole: GenerationRequest = {
    protocol: 'chat-completions',
    model: 'asked-for',
    stream: false,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [],
    ...request,
  };
  return { body: encodeRequest(whole, { ...target, ...at }, (loss) => losses.push(loss)), losses };
}

/** The input that messages come to. */
export function inputOf(messages: Message[], at: Partial<TextTarget> = {}): unknown {
  return encode({ messages }, at).body.input;
}

/** A message. */
export const say = (role: Message['role'], ...content: (ContentBlock | string)[]): Message => ({
  role,
  content: content.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)),
});
/** A call. */
export const call = (callId: string, args = '{}'): ContentBlock => ({
  type: 'tool-call',
  callId,
  name: 'f',
  kind: 'function',
  arguments: args,
});
/** What a call came to. */
export const result = (callId: string, text: string, isError = false): ContentBlock => ({
  type: 'tool-result',
  callId,
  kind: 'function',
  content: [{ type: 'text', text }],
  ...(isError && { isError }),
});
/** A message as it is written. */
export const user = (text: string): ResponseInputItem.Message => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
/** A picture. */
export const image: MediaBlock = {
  type: 'media',
  kind: 'image',
  source: { from: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
};
