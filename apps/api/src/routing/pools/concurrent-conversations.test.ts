import { afterEach, beforeEach, expect, it } from 'vitest';
import { KEYS } from '../../../test/api-rig.ts';
import { type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { type CountingVendor, countingVendor } from '../../../test/pools/counting-vendor.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five'];
const LIMITS = { max_in_flight: 160, rpm: 700 };
const CONVERSATIONS = 200;
const TURNS = 6;

let vendor: CountingVendor;
let rigs: AdminRig[];
beforeEach(async () => {
  vendor = await countingVendor(30);
  rigs = [];
  for (let at = 0; at < 2; at += 1) {
    const [first] = rigs;
    const credentials = NAMES.map((name) => ({ name, api_key: `sk-${name}`, ...LIMITS }));
    rigs.push(
      await adminRig({
        ...(first && { prefix: first.tasks.prefix }),
        config: {
          upstreams: { acme: { kind: 'chat-completions', base_url: `${vendor.url}/v1`, credentials } },
          models: [{ id: 'chat', routes: [{ upstream: 'acme', model: 'large' }], capabilities: ['text'] }],
        },
      }),
    );
  }
});
afterEach(async () => {
  for (const rig of rigs) await rig.close();
  await vendor.close();
});

async function say(conversation: number, turn: number): Promise<number> {
  const messages = Array.from({ length: turn + 1 }, (_, at) => ({
    role: 'user',
    content: at === 0 ? `conversation ${conversation}` : `turn ${at}`,
  }));
  const response = await rigs[(conversation + turn) % rigs.length]?.call('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'chat', messages }),
  });
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** The credentials that served a conversation, in the order of its turns. */
function historyOf(conversation: number): string[] {
  return vendor.served
    .filter((one) => one.status === 200 && one.conversation === `conversation ${conversation}`)
    .map(({ key }) => key);
}

it('200 concurrent conversations keep their credentials while the vendor limits one, within all limits', async () => {
  /** Resolves after half of the turns. */
  const middle = Promise.withResolvers<void>();
  let said = 0;
  const converse = async (conversation: number): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      expect(await say(conversation, turn)).toBe(200);
      said += 1;
      if (said === (CONVERSATIONS * TURNS) / 2) middle.resolve();
    }
  };
  const limit = async (): Promise<void> => {
    await middle.promise;
    vendor.refuse.set('sk-two', { status: 429, headers: { 'retry-after': '120' } });
  };
  await Promise.all([limit(), ...Array.from({ length: CONVERSATIONS }, (_, at) => converse(at))]);

  const histories = Array.from({ length: CONVERSATIONS }, (_, at) => historyOf(at));
  const moved = histories.filter((keys) => new Set(keys).size > 1);
  // A conversation moves once, and only from the limited credential.
  for (const keys of moved) {
    const from = keys.lastIndexOf('sk-two');
    expect(new Set(keys.slice(0, from + 1))).toEqual(new Set(['sk-two']));
    expect(new Set(keys.slice(from + 1)).size).toBe(1);
  }
  const owned = histories.filter(([first]) => first === 'sk-two').length;
  expect(owned).toBeGreaterThan(15);
  expect(moved.length).toBeGreaterThan(0);
  expect(moved.length).toBeLessThanOrEqual(owned);
  for (const name of NAMES) {
    const key = `sk-${name}`;
    expect(vendor.maxInFlight(key)).toBeLessThanOrEqual(LIMITS.max_in_flight);
    expect(vendor.served.filter((one) => one.key === key).length).toBeLessThanOrEqual(LIMITS.rpm);
  }
  // Most turns of these conversations did not call the resting credential. A process learns of it by its own call, or from the other one.
  const refused = vendor.served.filter(({ status }) => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThanOrEqual(rigs.length * owned);
});
