import { hashOf } from '@sluice/redis-scripts';

/** The names of Redis keys of groups. `lua/includes/keys.lua` builds the same names from the deployment's prefix. */
export interface GroupKeys {
  /** The deployment's prefix, with its hash tag. */
  root: string;
  group(id: string): string;
  items(id: string): string;
  idempotency(owner: string, key: string): string;
}

export function createGroupKeys(name: string): GroupKeys {
  const root = `{${name}}:`;
  const prefix = `${root}groups:`;
  return {
    root,
    group: (id) => `${prefix}group:${id}`,
    items: (id) => `${prefix}items:${id}`,
    idempotency: (owner, key) => `${prefix}idem:${hashOf(owner, key)}`,
  };
}
