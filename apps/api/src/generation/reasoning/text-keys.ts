import { createHash } from 'node:crypto';

/** The Redis keys of text state. All share one hash tag. */
export interface TextKeys {
  reasoning(owner: string, callId: string): string;
  response(owner: string, id: string): string;
  /** Exists while the process that generates the response is alive. */
  alive(owner: string, id: string): string;
  /** Exists if the response was canceled before it was finished. */
  canceled(owner: string, id: string): string;
  /** Exists once the complete usage of a response has been charged. */
  paid(owner: string, id: string): string;
  item(owner: string, id: string): string;
  itemUpstream(owner: string, id: string): string;
}

export function createTextKeys(name: string): TextKeys {
  // Ids come from clients and vendors. Hashing them with the owner limits their length and isolates owners.
  const keys = (kind: string) => (owner: string, id: string) =>
    `{${name}}:text:${kind}:${createHash('sha256').update(`${owner}\n${id}`).digest('base64url')}`;
  return {
    reasoning: keys('reasoning'),
    response: keys('response'),
    alive: keys('alive'),
    canceled: keys('canceled'),
    paid: keys('paid'),
    item: keys('item'),
    itemUpstream: keys('elsewhere'),
  };
}
