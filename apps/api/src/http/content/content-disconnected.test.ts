import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalContentStore } from '@sluice/content';
import { expect, it } from 'vitest';
import { apiRig, KEYS } from '../../../test/api-rig.ts';

it('a file opened for a client that has disconnected meanwhile is closed', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-left-'));
  const local = createLocalContentStore(dir);
  const requested = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let isDelayed = false;
  const rig = await apiRig({
    store: {
      ...local,
      async openFile(key) {
        if (isDelayed) {
          requested.resolve();
          await gate.promise;
        }
        return open(path.join(dir, key));
      },
    },
  });
  await rig.tasks.startWorker();
  // The cast is safe because every created video has an id.
  const { id } = (await (await rig.create({ prompt: 'a kite' }, { prefer: 'wait=30' })).json()) as { id: string };
  isDelayed = true;
  rig.opened.length = 0;
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${KEYS.alice}` };
  const response = rig.call(`/v1/videos/${id}/content`, { headers, signal: controller.signal });
  await requested.promise;
  controller.abort();
  await expect(response).rejects.toThrow();
  // Wait until the server has noticed the disconnect.
  await expect.poll(() => rig.logs()).toMatch(/"aborted":true/);
  gate.resolve();
  await expect.poll(() => rig.opened.map(({ closed }) => closed)).toEqual([true]);
  await rig.close();
  await rm(dir, { recursive: true, force: true });
});
