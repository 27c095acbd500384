import { createHash } from 'node:crypto';

/** The Redis keys of text state, all under one hash tag. */
export interface TextKeys {
  reasoning(owner: string, callId: string): string;
  response(owner: string, id: string): string;
  /** Exists while the process that generates a response lives. */
  alive(owner: string, id: string): string;
  /** Exists if an open response was canceled. */
  canceled(owner: string, id: string): string;
  /** Exists once all usage of a response has been charged. */
  paid(owner: string, id: string): string;
  item(owner: string, id: string): string;
  itemUpstream(owner: string, id: string): string;
}

export function createTextKeys(name: string): TextKeys {
  // Ids come from clients and vendors. A hash with the owner bounds their length and keeps owners apart.
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
