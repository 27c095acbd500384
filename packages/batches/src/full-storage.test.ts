import { GatewayError } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { batchRig } from '../test/batch-rig.ts';

it('leaves no content behind while the storage of the key is full', { timeout: 60_000 }, async () => {
  const rig = await batchRig();
  let refusals = 0;
  const addPart: typeof rig.files.addPart = async (...part) => {
    if (refusals === 5) return rig.files.addPart(...part);
    refusals += 1;
    rig.clock.now += 1;
    throw new GatewayError('storage_quota_exceeded', 'Storage limit reached. Delete files first.');
  };
  const batch = await rig.create(3);
  rig.startWorker({ retryMs: 0, files: { ...rig.files, addPart } });
  const ended = await rig.ended(batch);
  expect(ended).toMatchObject({ status: 'completed', counts: { completed: 3 } });
  // The content that no file contains.
  expect(await rig.redis.zcard(`{${rig.prefix}}:files:garbage`)).toBe(0);
  await rig.close();
});
