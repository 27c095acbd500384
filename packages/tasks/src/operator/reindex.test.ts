import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreRig } from '../../test/store-rig.ts';
import { reindex } from './reindex.ts';

let rig: StoreRig;
beforeEach(() => {
  rig = new StoreRig();
});
afterEach(() => rig.close());

it('takes places at an account from tasks that have none there, and from nobody else', async () => {
  const [running, elsewhere, waiting] = [
    await rig.admitted(),
    await rig.admitted({ account: 'other' }),
    await rig.admitted(),
  ];
  await rig.running(running);
  await rig.store.move(elsewhere, { from: ['queued'], to: 'failed' });
  const stray = ['video_gone', elsewhere];
  await rig.redis.sadd(`${rig.keys.prefix}in_flight:acme`, ...stray);
  await rig.redis.sadd(`${rig.keys.prefix}submitting:acme`, running, ...stray);
  await reindex(rig.redis, rig.keys);
  expect((await rig.places('in_flight')).toSorted()).toEqual([running, waiting].toSorted());
  expect(await rig.places('submitting')).toEqual([waiting]);
});
