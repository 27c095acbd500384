import { hashOf } from '@sluice/redis-scripts';
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
  /** Ids of an owner's tasks with a tag, sorted like those of the owner; see {@link Keyspace.tagHash}. */
  tag(hash: string): string;
  /** Identifies a user or a label of an owner's tasks. Clients choose both, so their names contain a hash. */
  tagHash(ownerId: string, ...tag: readonly string[]): string;
  idempotency(ownerId: string, operation: string, key: string): string;
  recent(ownerId: string, operation: string, digest: string): string;
  external(ownerId: string, externalId: string): string;
  /** The key that contains the task which has claimed this job at a vendor's account. */
  claimed(vendorAccount: string, upstreamId: string): string;
  /** Tasks with open submissions and this request fingerprint. */
  fingerprint(vendorAccount: string, fingerprint: string): string;
  /** The content-store key of the content that new tasks with this input image use; see {@link Keyspace.inputHash}. */
  input(hash: string): string;
  /** Identifies the content of an input image of an owner. */
  inputHash(ownerId: string, sha256: string): string;
  caps: string;
  /** Owners that have paused their waiting tasks. */
  pausedOwners: string;
  /** Ids of the tasks that run at an account, or are submitted to it. */
  inFlight(account: string): string;
  submitting(account: string): string;
  usual: string;
  stats: string;
  events: string;
  /** Written before each `WAIT`; see `ReplicatedWrites`. */
  replicated: string;
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
    tag: (hash) => `${prefix}tag:${hash}`,
    tagHash: (ownerId, ...tag) => hashOf(JSON.stringify([ownerId, ...tag])).slice(0, 22),
    idempotency: (ownerId, operation, key) => `${prefix}idem:${hashOf(ownerId, operation, key)}`,
    recent: (ownerId, operation, digest) => `${prefix}recent:${hashOf(ownerId, operation, digest)}`,
    external: (ownerId, externalId) => `${prefix}external:${hashOf(ownerId, externalId)}`,
    claimed: (vendorAccount, upstreamId) => `${prefix}claimed:${vendorAccount}:${upstreamId}`,
    fingerprint: (vendorAccount, fingerprint) => `${prefix}print:${vendorAccount}:${fingerprint}`,
    input: (hash) => `${prefix}input:${hash}`,
    inputHash: (ownerId, sha256) => hashOf(ownerId, sha256),
    caps: `${prefix}caps`,
    pausedOwners: `${prefix}paused_owners`,
    inFlight: (account) => `${prefix}in_flight:${account}`,
    submitting: (account) => `${prefix}submitting:${account}`,
    usual: `${prefix}usual`,
    stats: `${prefix}stats`,
    events: `${prefix}events`,
    replicated: `${prefix}replicated`,
  };
}
