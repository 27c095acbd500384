import type { Protocol } from './text-client.ts';

type Fields = Record<string, unknown>;

/** Start of an opaque token that the gateway wrapped for a client; no vendor may ever receive one. */
export const WRAPPED_TOKEN = 'R1cx';

/**
 * Opaque tokens of the reasoning in a request's body, in order: signatures and encrypted items.
 * @param after only those after the last turn that contains this text
 */
export function nativeTokens(protocol: Protocol, body: unknown, after: string): string[] {
  switch (protocol) {
    case 'chat-completions':
      return [];
    case 'responses':
      return behind(body, 'input', after).flatMap((item) => textIn(item, 'encrypted_content'));
    case 'messages':
      return behind(body, 'messages', after)
        .flatMap((message) => list(message, 'content'))
        .flatMap((block) => textIn(block, 'signature', 'data'));
    case 'generative-content':
      return behind(body, 'contents', after)
        .flatMap((content) => list(content, 'parts'))
        .flatMap((part) => textIn(part, 'thoughtSignature'));
  }
}

function behind(body: unknown, name: string, text: string): Fields[] {
  const turns = list(body, name);
  return turns.slice(turns.findLastIndex((turn) => JSON.stringify(turn).includes(text)) + 1);
}

function list(value: unknown, name: string): Fields[] {
  const items = (value as Fields)[name]; // an object of the vendor's wire, which the sandbox has checked
  return Array.isArray(items) ? (items as Fields[]) : [];
}

function textIn(value: Fields, ...names: string[]): string[] {
  return names.flatMap((name) => {
    const text = value[name];
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
}
