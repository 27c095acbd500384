import { hashOf } from '@sluice/redis-scripts';

/** The Redis keys of stored responses. All share one hash tag. */
export interface ResponseKeys {
  response(owner: string, id: string): string;
  /** Exists while a worker runs the response or will run it. */
  alive(owner: string, id: string): string;
  /** Exists if the response was canceled while a process of an earlier version generated it. */
  canceled(owner: string, id: string): string;
  item(owner: string, id: string): string;
  itemUpstream(owner: string, id: string): string;
}

export function createResponseKeys(name: string): ResponseKeys {
  return {
    response: textKey(name, 'response'),
    alive: textKey(name, 'alive'),
    canceled: textKey(name, 'canceled'),
    item: textKey(name, 'item'),
    itemUpstream: textKey(name, 'elsewhere'),
  };
}

/** Returns the keys of one kind of text state. */
export function textKey(name: string, kind: string): (owner: string, id: string) => string {
  return (owner, id) => `${textPrefix(name)}${kind}:${hashOf(owner, id)}`;
}

export function textPrefix(name: string): string {
  return `{${name}}:text:`;
}
