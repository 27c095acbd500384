import { isFinal, OPEN_STATUSES } from '@sluice/canonical';
import { createLimiter } from '@sluice/limits';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Entry, ledgerEntries } from '../../test/ledger-entries.ts';
import { StoreRig, UNITS } from '../../test/store-rig.ts';
import { reindex } from '../operator/reindex.ts';
import type { Move } from './move.ts';
import { priceFields, requestedNanos } from './task-price.ts';

const nanos = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1e9 }));
const source = JSON.stringify({ from: 'config' });
const price = fc.option(fc.record({ taskNanos: nanos, unitNanos: nanos, source: fc.constant(source) }), {
  nil: undefined,
});

const BUDGETS = { large: 8e15, small: 1_000_000, none: undefined } as const;

const task = fc.record({
  owner: fc.constantFrom('large', 'large', 'small', 'none'),
  kind: fc.constantFrom('video', 'image'),
  price,
  /** The price at the next route. */
  next: price,
});
type Plan = typeof task extends fc.Arbitrary<infer T> ? T : never;

const file = { content: { key: 'k', bytes: 1, etag: 'e', mediaType: 'image/png' } };
const outputs = (count: number) => JSON.stringify(Array.from({ length: count }, () => file));

/** Random moves, as workers, clients, and operators send them. In most states, most of them are refused. */
const move = fc.oneof(
  fc.constant(() => ({ from: ['queued'], to: 'submitting', set: { attempt: 1 } }) as const),
  fc.constant(() => ({ from: ['queued'], to: 'canceled', set: { errorCode: 'canceled' } }) as const),
  fc.constant(() => ({ from: ['submitting', 'submit_unknown'], set: { cancelRequested: true } }) as const),
  fc.constant(() => ({ from: ['submitting'], to: 'submit_unknown' }) as const),
  fc.constant(
    ({ next }: Plan) =>
      ({ from: ['submitting'], to: 'queued', enqueue: true, set: { route: 1, ...priceFields(next) } }) as const,
  ),
  fc.constant(() => ({ from: ['submit_unknown'], to: 'queued', enqueue: true, orphan: true }) as const),
  fc.constant(() => ({ from: ['queued', 'submitting', 'submit_unknown'], to: 'in_progress' }) as const),
  fc.constant(() => ({ from: ['in_progress'], to: 'canceling', set: { cancelRequested: true } }) as const),
  fc.constant(() => ({ from: ['canceling'], to: 'canceled', set: { errorCode: 'canceled' } }) as const),
  fc
    .constantFrom('4', '0.2', '12.04', '86400', 'long')
    .map((seconds) => () => ({ from: ['in_progress', 'canceling'], to: 'finishing', set: { seconds } }) as const),
  fc
    .nat({ max: 9 })
    .map(
      (count) => () =>
        ({ from: ['finishing', 'submitting'], to: 'completed', set: { outputs: outputs(count) } }) as const,
    ),
  fc.constant(() => ({ from: OPEN_STATUSES, to: 'failed', set: { errorCode: 'deadline_exceeded' } }) as const),
  fc.constant(() => ({ from: ['completed', 'failed', 'canceled', 'queued'], set: { deleted: true } }) as const),
  fc.constant(() => ({ from: ['failed'], set: { adopted: true, upstreamId: 'late' } }) as const),
) satisfies fc.Arbitrary<(plan: Plan) => Move>;

/** `interrupted`: a script failed within the end of a task. `reindexed`: an operator rebuilt the index. */
const step = fc.oneof(
  { weight: 8, arbitrary: move },
  { weight: 1, arbitrary: fc.constantFrom('interrupted', 'reindexed', 'purged') },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

it('task entries add up to the budgets, whatever happens to the tasks', async () => {
  const tasks = fc.array(task, { minLength: 1, maxLength: 6 });
  const steps = fc.array(fc.tuple(fc.nat(), step), { minLength: 40, maxLength: 160 });
  await fc.assert(fc.asyncProperty(tasks, steps, check), { numRuns: 60 });
}, 120_000);

async function check(plans: readonly Plan[], steps: readonly [number, Step][]): Promise<void> {
  const rig = new StoreRig();
  try {
    const tasks = await admitAll(rig, plans);
    for (const [index, action] of steps) {
      const chosen = tasks[index % tasks.length];
      if (chosen) await act(rig, chosen, action);
    }
    await reindex(rig.redis, rig.keys, { now: rig.clock, retentionMs: 1_000, maxLedgerEntries: 1_000_000 });
    await expectSums(rig, tasks);
  } finally {
    rig.close();
  }
}

interface Task {
  id: string;
  plan: Plan;
}

async function admitAll(rig: StoreRig, plans: readonly Plan[]): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const plan of plans) {
    const budget = BUDGETS[plan.owner];
    const costs = [plan.price, plan.next].flatMap((one) => (one ? [requestedNanos(one, UNITS)] : []));
    const { id, response } = rig.admit({
      ...plan,
      allowance: budget === undefined ? {} : { budget: { nanos: budget, period: 'total' } },
      maxNanos: costs.length === 0 ? undefined : Math.max(...costs),
    });
    if ((await response).result === 'new') tasks.push({ id, plan });
  }
  return tasks;
}

async function act({ store, redis, keys, clock }: StoreRig, { id, plan }: Task, action: Step): Promise<void> {
  switch (action) {
    case 'interrupted': {
      const state = await store.loadState(id);
      // The script failed before or after the charge.
      if (state && isFinal(state.status)) await redis.hdel(keys.task(id), 'completedAt', 'expiresAt');
      else if (state) await redis.hset(keys.task(id), 'status', 'completed');
      return;
    }
    case 'reindexed':
      await reindex(redis, keys, { now: clock, retentionMs: 1_000, maxLedgerEntries: 1_000_000 });
      return;
    case 'purged':
      await store.purge(id);
      return;
    default:
      await store.move(id, action(plan));
  }
}

/** The ledger's store ignores an entry with the id of an earlier one. */
async function expectSums({ redis, keys, store }: StoreRig, tasks: readonly Task[]): Promise<void> {
  const prefix = keys.queuePrefix.slice(1, -1);
  const entries = new Map<string, Entry>();
  for (const entry of await ledgerEntries(redis, prefix)) if (!entries.has(entry.id)) entries.set(entry.id, entry);
  const states = await Promise.all(tasks.map(({ id }) => store.loadState(id)));
  const ended = tasks.filter((_, index) => isFinal(states[index]?.status ?? 'completed')).map(({ id }) => id);
  expect([...entries.keys()].toSorted()).toEqual(ended.toSorted());

  for (const { costNanos, lines = [] } of entries.values()) {
    expect(lines.reduce((sum, line) => sum + line.nanos, 0)).toBe(costNanos ?? 0);
  }
  const limiter = createLimiter(redis, { prefix });
  for (const owner of ['large', 'small'] as const) {
    const costs = [...entries.values()].filter(({ key }) => key === owner).map(({ costNanos = 0 }) => costNanos);
    const { total, reserved } = await limiter.spending(owner);
    expect(total).toBe(costs.reduce((sum, cost) => sum + cost, 0));
    const open = tasks.filter(({ id, plan }) => plan.owner === owner && !ended.includes(id));
    const held = await Promise.all(open.map(({ id }) => redis.hget(keys.task(id), 'heldNanos')));
    expect(reserved).toBe(held.reduce((sum, amount) => sum + Number(amount ?? 0), 0));
  }
  expect((await limiter.spending('none')).total).toBe(0);
}
