import { createHash } from 'node:crypto';
import type { TaskStatus } from '@sluice/canonical';

/** One of the lists of a timeline. */
type TimelineList = 'shown' | 'moved' | 'noted';

/**
 * The names of all Redis keys of one Sluice. They share one hash tag, so that one script may touch any of them
 * in a Redis Cluster too. The scripts build the same names from {@link Keyspace.prefix}.
 */
export interface Keyspace {
  /** `{tag}:`, the beginning of every key. */
  prefix: string;
  /** The prefix in BullMQ's form. */
  queuePrefix: string;
  task(id: string): string;
  /** The request body: a string of its own, so that the record's hash stays small. */
  request(id: string): string;
  /** What happened to a task, in three lists; `timeline-script.ts` tells which. */
  timeline(id: string, list: TimelineList): string;
  /** Ids of the tasks in a state, by creation. */
  state(status: TaskStatus): string;
  /** Task ids by the time at which a step is due: what the sweeper reads. */
  due: string;
  /** Final tasks by the time at which record and content go. */
  expiring: string;
  /** One owner's task ids, in order of creation. */
  owner(ownerId: string): string;
  idempotency(ownerId: string, operation: string, key: string): string;
  recent(ownerId: string, operation: string, digest: string): string;
  /** The id of an owner's task that the client has named itself. */
  external(ownerId: string, externalId: string): string;
  /** Who has claimed a job of a vendor's account. */
  claimed(vendorAccount: string, upstreamId: string): string;
  /** Tasks whose submission to a vendor's account is open, by fingerprint of what was asked. */
  fingerprint(vendorAccount: string, fingerprint: string): string;
  caps: string;
  usual: string;
  stats: string;
  events: string;
}

/** Builds the {@link Keyspace} under a configured name. */
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
    // Clients choose idempotency keys: hashed, they can neither be long nor collide with our separators.
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
