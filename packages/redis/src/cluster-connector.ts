import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisSettings } from '@sluice/config';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';

type Cluster = NonNullable<RedisSettings['cluster']>;
type Address = Cluster['addresses'][number];

const QUERY_MS = 3_000;
const RETRY_MS = 250;

/**
 * Returns a connector to the node of a Redis Cluster that has the slot of a hash tag. All keys of a gateway, or of a
 * shard, have one hash tag. So one plain connection is enough, which scripts, blocking reads, and `WAIT` need as well.
 * After the slot has moved, commands fail with `MOVED`, and the next connection leads to its new node.
 */
export function clusterConnector(cluster: Cluster): NonNullable<RedisOptions['Connector']> {
  return class extends AbstractConnector {
    readonly #options: RedisOptions;

    constructor(options: unknown) {
      const own = options as RedisOptions; // ioredis passes the options of the client.
      super(own.disconnectTimeout ?? 0);
      this.#options = own;
    }

    /** Retries until a node responds. An error would end the client for good. */
    async connect(report: (type: string, error: Error) => void): Promise<Socket> {
      this.connecting = true;
      for (;;) {
        const owner = await findOwner(cluster, this.#options).catch((error: unknown) => {
          report('error', new Error('No node of the Redis Cluster responds.', { cause: error }));
        });
        if (!this.connecting) throw new Error('Connection is closed.');
        if (owner) return (this.stream = openSocket(owner, this.#options));
        await sleep(RETRY_MS);
      }
    }
  };
}

function openSocket(address: Address, { tls }: RedisOptions): Socket {
  return tls ? connectTls({ ...tls, ...address }) : connectTcp(address);
}

/** Queries all known nodes at once, and uses the first response. @throws AggregateError if none responds */
function findOwner({ addresses, tag }: Cluster, options: RedisOptions): Promise<Address> {
  return Promise.any(addresses.map((address) => queryNode(address, tag, options)));
}

async function queryNode(address: Address, tag: string, options: RedisOptions): Promise<Address> {
  const { username, password, tls } = options;
  const redis = new Redis({
    ...address,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    lazyConnect: true,
    connectTimeout: QUERY_MS,
    commandTimeout: QUERY_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined); // The command fails as well.
  try {
    await redis.connect();
    const [slot, ranges] = await Promise.all([redis.cluster('KEYSLOT', `{${tag}}`), redis.cluster('SLOTS')]);
    const owner = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2];
    if (!owner) throw new Error(`No node has the slot of {${tag}}.`);
    // A node that does not know its own address reports an empty one.
    return { host: owner[0] || address.host, port: owner[1] };
  } finally {
    redis.disconnect();
  }
}
