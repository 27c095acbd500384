import { createHash } from 'node:crypto';
import type { TaskStatus } from '@sluice/canonical';

type TimelineList = 'shown' | 'moved' | 'noted';

/**
 * The names of all Redis keys of a deployment. They share one hash tag, so that in a Redis Cluster a script can access
 * any of them. The scripts build the same names from {@link Keyspace.prefix}.
 */
export interface Keyspace {
  /** `{tag}:`, which is the prefix of every key. */
  prefix: string;
  queuePrefix: string;
  task(id: string): string;
  /** The key of the request. The request is a separate string, so that the record's hash stays small. */
  request(id: string): string;
  /** Each task has three lists; see `lua/includes/timeline.lua`. */
  timeline(id: string, list: TimelineList): string;
  /** Ids of the tasks in a state, sorted by creation time. */
  state(status: TaskStatus): string;
  /** Task ids by the time of their next step. The sweeper reads them. */
  due: string;
  /** Ids of final tasks, sorted by the end of their retention. */
  expiring: string;
  /** Tasks that wait until the content store is available. */
  storageWaiting: string;
  /** Ids of an owner's tasks, sorted by creation time. */
  owner(ownerId: string): string;
  idempotency(ownerId: string, operation: string, key: string): string;
  recent(ownerId: string, operation: string, digest: string): string;
  external(ownerId: string, externalId: string): string;
  /** The key that contains the task which has claimed this job at a vendor's account. */
  claimed(vendorAccount: string, upstreamId: string): string;
  /** Tasks with open submissions and this request fingerprint. */
  fingerprint(vendorAccount: string, fingerprint: string): string;
  caps: string;
  /** Ids of the tasks that run at an account, or are submitted to it. */
  inFlight(account: string): string;
  submitting(account: string): string;
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
    storageWaiting: `${prefix}storage_waiting`,
    owner: (ownerId) => `${prefix}owner:${ownerId}`,
    // Clients choose idempotency keys, so the name contains a hash, which is short and has no separators.
    idempotency: (ownerId, operation, key) => `${prefix}idem:${sha256(`${ownerId}\n${operation}\n${key}`)}`,
    recent: (ownerId, operation, digest) => `${prefix}recent:${sha256(`${ownerId}\n${operation}\n${digest}`)}`,
    external: (ownerId, externalId) => `${prefix}external:${sha256(`${ownerId}\n${externalId}`)}`,
    claimed: (vendorAccount, upstreamId) => `${prefix}claimed:${vendorAccount}:${upstreamId}`,
    fingerprint: (vendorAccount, fingerprint) => `${prefix}print:${vendorAccount}:${fingerprint}`,
    caps: `${prefix}caps`,
    inFlight: (account) => `${prefix}in_flight:${account}`,
    submitting: (account) => `${prefix}submitting:${account}`,
    usual: `${prefix}usual`,
    stats: `${prefix}stats`,
    events: `${prefix}events`,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
