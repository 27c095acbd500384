import type { Protocol } from './clients/text-client.ts';

type Fields = Record<string, unknown>;

/** Prefix of the gateway's opaque tokens. No vendor may receive them. */
export const WRAPPED_TOKEN = 'R1cx';

/**
 * Returns the opaque reasoning tokens in a request, i.e. the vendor's signatures and encrypted items, in order.
 * @param after ignores all tokens up to the last turn that contains this text
 */
export function nativeTokens(protocol: Protocol, body: unknown, after: string): string[] {
  switch (protocol) {
    case 'chat-completions':
      return [];
    case 'responses':
      return turnsAfter(body, 'input', after).flatMap((item) => textIn(item, 'encrypted_content'));
    case 'messages':
      return turnsAfter(body, 'messages', after)
        .flatMap((message) => list(message, 'content'))
        .flatMap((block) => textIn(block, 'signature', 'data'));
    case 'generative-content':
      return turnsAfter(body, 'contents', after)
        .flatMap((content) => list(content, 'parts'))
        .flatMap((part) => textIn(part, 'thoughtSignature'));
  }
}

function turnsAfter(body: unknown, name: string, text: string): Fields[] {
  const turns = list(body, name);
  return turns.slice(turns.findLastIndex((turn) => JSON.stringify(turn).includes(text)) + 1);
}

function list(value: unknown, name: string): Fields[] {
  const items = (value as Fields)[name]; // The cast is safe because the sandbox has validated the body.
  return Array.isArray(items) ? (items as Fields[]) : [];
}

function textIn(value: Fields, ...names: string[]): string[] {
  return names.flatMap((name) => {
    const text = value[name];
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
}
