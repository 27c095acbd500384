import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebhookRig, webhookRig } from '../../test/webhook-rig.ts';

const PER_HOST = 2;
const PER_OWNER = 3;
const LEASE_MS = 1_000;
const OWNERS = ['alice', 'bob', 'carol dave'];
const EVENTS = ['video.completed'] as const;
const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];
const urlOf = (host: number) => `https://host-${host}.test/hook`;

let rig: WebhookRig;
let prefix: string;
beforeEach(async () => {
  rig = await webhookRig({ perHost: PER_HOST, perOwner: PER_OWNER });
  prefix = `{${rig.prefix}}:webhooks:`;
});
afterEach(() => rig.close());

/** A claim whose outcome is not yet recorded. */
interface Claim {
  id: string;
  claim: string;
}

const scriptArgs = () => [prefix, rig.clock.now, PER_HOST, PER_OWNER] as const;

/** Claims deliveries. If fewer than `max` are claimed, checks that no other delivery is due now. */
async function claim(max: number): Promise<Claim[]> {
  const leaseUntil = rig.clock.now + LEASE_MS;
  const [next, ...flat] = await rig.redis.webhooksClaim(
    `${prefix}outbox`,
    ...scriptArgs(),
    leaseUntil,
    max,
    600_000,
    0,
  );
  const claimed = flat.flatMap((id, at) => (at % 2 === 0 ? [{ id: String(id), claim: String(flat[at + 1]) }] : []));
  if (claimed.length < max && next !== '') expect(Number(next)).toBeGreaterThan(rig.clock.now);
  return claimed;
}

async function recordOutcome({ id, claim: number }: Claim, outcome: string, waitMs = 0): Promise<boolean> {
  const attempt = outcome === 'release' ? '' : '{}';
  const at = rig.clock.now + waitMs;
  const written = await rig.redis.webhooksRecordOutcome(
    prefix,
    ...scriptArgs(),
    id,
    number,
    outcome,
    attempt,
    at,
    '2xx',
  );
  return written === 1;
}

/** Returns the number of waiting deliveries per queue, and a function that counts the deliveries in flight. */
async function readState() {
  const keys = await rig.keys();
  const due = keys.filter((key) => key.startsWith('due:'));
  const queues = await Promise.all(
    due.map(async (key) => {
      const [, host = '', owner = ''] = /^due:(\S+) (.*)$/.exec(key) ?? [];
      return { host, owner, waiting: await rig.redis.zcount(prefix + key, '-inf', rig.clock.now) };
    }),
  );
  const live = (key: string) => rig.redis.zcount(prefix + key, `(${rig.clock.now}`, '+inf');
  return { queues, live, keys };
}

/** Expects that all deliveries that can be claimed are claimed, and that no limit is exceeded. */
async function expectFullyClaimed(): Promise<void> {
  const { queues, live, keys } = await readState();
  for (const { host, owner, waiting } of queues) {
    if (waiting === 0) continue;
    const [atHost, byOwner] = [await live(`leased_at:${host}`), await live(`leased_by:${owner}`)];
    expect([host, owner, atHost === PER_HOST || byOwner === PER_OWNER]).toEqual([host, owner, true]);
  }
  for (const key of keys) {
    if (key.startsWith('leased_at:')) expect(await live(key)).toBeLessThanOrEqual(PER_HOST);
    if (key.startsWith('leased_by:')) expect(await live(key)).toBeLessThanOrEqual(PER_OWNER);
  }
}

const number = fc.nat(1_000);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('end' as const), number }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('claim' as const), number }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('record' as const), number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('move' as const), number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('send again' as const), number }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('forget' as const), number }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), number }) },
);

it('claims every possible delivery within all limits and ends each once, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const keys = await rig.keys();
      if (keys.length > 0) await rig.redis.del(...keys.map((key) => prefix + key));
      const hooks = await Promise.all(
        OWNERS.map(async (owner, index) => {
          const params = { name: '', events: [...EVENTS], enabled: true };
          return { owner, id: (await rig.webhooks.create(owner, { ...params, url: urlOf(index % 2) })).id };
        }),
      );
      const known = new Set<string>();
      let claims: Claim[] = [];
      for (const { does, number: at } of steps) {
        const { owner, id = '' } = pick(hooks, at) ?? {};
        switch (does) {
          case 'end':
            await rig.endTask({
              ...(owner !== undefined && { owner }),
              ...(at % 3 === 0 && { callback: urlOf(at % 4) }),
            });
            break;
          case 'claim': {
            const max = (at % 4) + 1;
            const claimed = await claim(max);
            claims.push(...claimed);
            for (const one of claimed) known.add(one.id);
            if (claimed.length < max) await expectFullyClaimed();
            break;
          }
          case 'record': {
            const one = pick(claims, at);
            if (!one) break;
            claims = claims.filter((other) => other !== one);
            const outcome = pick(['delivered', 'failed', 'retry', 'release'], at) ?? '';
            await recordOutcome(one, outcome, at);
            expect(await recordOutcome(one, outcome, at)).toBe(false);
            break;
          }
          case 'move':
            await rig.webhooks.update(owner ?? '', id, { url: urlOf(at % 5) });
            break;
          case 'send again': {
            const { deliveries } = await rig.webhooks.deliveries(owner ?? '', { limit: 100 });
            const one = pick(deliveries, at);
            if (one) await rig.webhooks.redeliver(owner ?? '', one.id);
            break;
          }
          case 'forget': {
            const one = pick([...known], at);
            // Removes the delivery as if its retention had ended.
            if (one !== undefined && (await rig.redis.del(`${prefix}delivery:${one}`)) === 1) known.delete(one);
            break;
          }
          case 'wait':
            rig.clock.now += at;
        }
      }
      // At this point, all claims are abandoned. One worker finishes the remaining deliveries.
      for (
        let round = 0;
        round < 200 && (await readState()).keys.some((key) => /^(outbox|due|leased$)/.test(key));
        round++
      ) {
        rig.clock.now += LEASE_MS;
        const claimed = await claim(50);
        await expectFullyClaimed();
        for (const one of claimed) expect(await recordOutcome(one, 'delivered')).toBe(true);
      }
      const { keys: remaining } = await readState();
      expect(remaining.filter((key) => /^(outbox|owners|hosts|due|leased$|line)/.test(key))).toEqual([]);
      expect(await rig.webhooks.stats()).toMatchObject({ pending: 0 });
      for (const { owner } of hooks) {
        const { deliveries } = await rig.webhooks.deliveries(owner, { limit: 100 });
        expect(deliveries.filter(({ status }) => status === 'pending')).toEqual([]);
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);

it('examines few waiting owners for one free slot', async () => {
  const owners = Array.from({ length: 30 }, (_, index) => `owner ${index}`);
  for (const owner of owners) await rig.endTask({ owner, callback: urlOf(owners.indexOf(owner)) });
  expect(await claim(1)).toHaveLength(1);
  // The next claim must remove an expired lease.
  for (const owner of owners) await rig.redis.zadd(`${prefix}leased_by:${owner}`, 1, 'ended');
  expect(await claim(1)).toHaveLength(1);
  const remaining = await Promise.all(owners.map((owner) => rig.redis.zscore(`${prefix}leased_by:${owner}`, 'ended')));
  expect(remaining.filter((ended) => ended !== null).length).toBeGreaterThan(25);
});
