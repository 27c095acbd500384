import { createHash } from 'node:crypto';
import type { TaskStatus } from '@sluice/canonical';

type TimelineList = 'shown' | 'moved' | 'noted';

/**
 * Names of all Redis keys of one deployment. They share one hash tag, so that a script may access any of them in a
 * Redis Cluster. The scripts build the same names from {@link Keyspace.prefix}.
 */
export interface Keyspace {
  /** `{tag}:`, the prefix of every key. */
  prefix: string;
  queuePrefix: string;
  task(id: string): string;
  /** A separate string, so that the hash of the record stays small. */
  request(id: string): string;
  /** Three lists; see `lua/includes/timeline.lua`. */
  timeline(id: string, list: TimelineList): string;
  /** Ids of the tasks in a state, by creation. */
  state(status: TaskStatus): string;
  /** Task ids by the time of their next step, for the sweeper. */
  due: string;
  /** Final tasks by the end of their retention. */
  expiring: string;
  /** An owner's task ids, by creation. */
  owner(ownerId: string): string;
  idempotency(ownerId: string, operation: string, key: string): string;
  recent(ownerId: string, operation: string, digest: string): string;
  external(ownerId: string, externalId: string): string;
  /** The task that claimed a job at a vendor's account. */
  claimed(vendorAccount: string, upstreamId: string): string;
  /** Tasks with an open submission, by their request's fingerprint. */
  fingerprint(vendorAccount: string, fingerprint: string): string;
  caps: string;
  usual: string;
  stats: string;
  events: string;
}

export function createKeyspace(name: string): Keyspace {
  const queuePrefix = `{${name}}`;
  const prefix = `${queuePrefix}:`;
  return {
    prefix,
    queuePrefix,
    task: (id) => `${prefix}task:${id}`,
    request: (id) => `${prefix}request:${id}`,
    timeline: (id, list) => `${prefix}timeline:${id}:${list}`,
    state: (status) => `${prefix}state:${status}`,
    due: `${prefix}due`,
    expiring: `${prefix}expiring`,
    owner: (ownerId) => `${prefix}owner:${ownerId}`,
    // Clients choose idempotency keys. Hashing makes them short and free of separators.
    idempotency: (ownerId, operation, key) => `${prefix}idem:${sha256(`${ownerId}\n${operation}\n${key}`)}`,
    recent: (ownerId, operation, digest) => `${prefix}recent:${sha256(`${ownerId}\n${operation}\n${digest}`)}`,
    external: (ownerId, externalId) => `${prefix}external:${sha256(`${ownerId}\n${externalId}`)}`,
    claimed: (vendorAccount, upstreamId) => `${prefix}claimed:${vendorAccount}:${upstreamId}`,
    fingerprint: (vendorAccount, fingerprint) => `${prefix}print:${vendorAccount}:${fingerprint}`,
    caps: `${prefix}caps`,
    usual: `${prefix}usual`,
    stats: `${prefix}stats`,
    events: `${prefix}events`,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
