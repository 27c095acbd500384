import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ports/free-port.ts';
import { type RedisProgram, startRedisProgram } from './redis-program.ts';

/** A Redis Cluster of three primaries. */
export interface RedisCluster {
  /** Values for `redis.cluster`. */
  addresses: { host: string; port: number }[];
  primaries: RedisProgram[];
  /** Returns the primary with the slot of a hash tag. */
  ownerOf(tag: string): Promise<RedisProgram>;
  /** Adds a replica of a primary, and waits until it has the data. */
  addReplica(of: RedisProgram): Promise<RedisProgram>;
  /** Moves the slot of a hash tag, with all of its keys, to another primary. */
  moveSlot(tag: string, to: RedisProgram): Promise<void>;
  stop(): Promise<void>;
}

const SLOTS = 16_384;
const READY_MS = 60_000;
const NODE_TIMEOUT_MS = 2_000;
const ARGS = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(NODE_TIMEOUT_MS), '--save', ''];

/**
 * The bus has a reserved port. By default it listens 10,000 above the port for clients, which can be an ephemeral port
 * that a connection holds.
 */
type Node = RedisProgram & { busPort: number };

/** Starts three primaries that share the slots. @throws Error if they do not form a cluster in time */
export async function startRedisCluster(): Promise<RedisCluster> {
  const programs: Node[] = [];
  const start = async (): Promise<Node> => {
    const busPort = await freePort();
    const program = await startRedisProgram({ args: [...ARGS, '--cluster-port', String(busPort)] });
    const node = { ...program, busPort };
    programs.push(node);
    return node;
  };
  const primaries = await Promise.all([start(), start(), start()]);
  const share = Math.ceil(SLOTS / primaries.length);
  for (const [index, primary] of primaries.entries()) {
    const last = Math.min((index + 1) * share, SLOTS) - 1;
    await call(primary, 'CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last));
    await call(primary, 'CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
  }
  const [first] = primaries;
  for (const primary of primaries.slice(1)) await meet(first, primary);
  await untilAll(primaries, 'cluster_state:ok');
  await untilAll(primaries, `cluster_known_nodes:${primaries.length}`);
  const ownerOf = async (tag: string): Promise<RedisProgram> => {
    const slot = Number(await call(first, 'CLUSTER', 'KEYSLOT', `{${tag}}`));
    const ranges = (await call(first, 'CLUSTER', 'SLOTS')) as [number, number, [string, number]][]; // The documented form.
    const port = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
    const owner = programs.find((program) => program.port === port);
    if (!owner) throw new Error(`No node has the slot ${slot}.`);
    return owner;
  };
  return {
    addresses: primaries.map(({ port }) => ({ host: '127.0.0.1', port })),
    primaries,
    ownerOf,
    async addReplica(of) {
      const replica = await start();
      await meet(of, replica);
      const id = String(await call(of, 'CLUSTER', 'MYID'));
      await until(async () => (await call(replica, 'CLUSTER', 'REPLICATE', id).catch(() => '')) === 'OK');
      await until(async () => String(await call(replica, 'INFO', 'replication')).includes('master_link_status:up'));
      // A primary can only be replaced by a replica that the others know.
      await untilAll(primaries, `cluster_known_nodes:${programs.length}`);
      return replica;
    },
    async moveSlot(tag, to) {
      const slot = String(await call(first, 'CLUSTER', 'KEYSLOT', `{${tag}}`));
      const from = await ownerOf(tag);
      const [source, target] = [String(await call(from, 'CLUSTER', 'MYID')), String(await call(to, 'CLUSTER', 'MYID'))];
      await call(to, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', source);
      await call(from, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', target);
      for (;;) {
        const keys = (await call(from, 'CLUSTER', 'GETKEYSINSLOT', slot, '1000')) as string[]; // The documented form.
        if (keys.length === 0) break;
        await call(from, 'MIGRATE', '127.0.0.1', String(to.port), '', '0', '10000', 'KEYS', ...keys);
      }
      await call(to, 'CLUSTER', 'SETSLOT', slot, 'NODE', target);
      for (const primary of primaries) await call(primary, 'CLUSTER', 'SETSLOT', slot, 'NODE', target);
    },
    async stop() {
      await Promise.all(programs.map((program) => program.stop().catch(() => undefined)));
    },
  };
}

async function meet(known: RedisProgram, added: Node): Promise<void> {
  await call(known, 'CLUSTER', 'MEET', '127.0.0.1', String(added.port), String(added.busPort));
}

async function call(program: RedisProgram, command: string, ...args: string[]): Promise<unknown> {
  const redis = program.connect();
  try {
    return await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}

async function untilAll(programs: readonly RedisProgram[], line: string): Promise<void> {
  for (const program of programs) {
    await until(async () => String(await call(program, 'CLUSTER', 'INFO')).includes(line));
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + READY_MS; !(await condition());) {
    if (Date.now() > deadline) throw new Error('The cluster did not reach the expected state.');
    await sleep(50);
  }
}
