import { createHash } from 'node:crypto';

/** The names of the Redis keys in which the state of text is kept, all under one hash tag. */
export interface TextKeys {
  /** What was thought before a tool call. */
  reasoning(owner: string, callId: string): string;
  /** A kept answer. */
  response(owner: string, id: string): string;
  /** There while the process that makes an answer lives. */
  alive(owner: string, id: string): string;
  /** There when an answer that is being made shall not be. */
  canceled(owner: string, id: string): string;
  /** There once all that an answer has used has been charged, or is being so. */
  paid(owner: string, id: string): string;
  /** One output item of a kept answer. */
  item(owner: string, id: string): string;
  /** The upstream that keeps an item. */
  itemUpstream(owner: string, id: string): string;
}

/** Builds the {@link TextKeys} under a configured name. */
export function createTextKeys(name: string): TextKeys {
  // Ids come from clients and vendors: hashed with the owner, they can neither be long nor name what is another's.
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
