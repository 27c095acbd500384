import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalContentStore } from '@sluice/content';
import { TINY_PNG } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

let rig: ApiRig;
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-create-'));
  rig = await apiRig({ store: { ...createLocalContentStore(dir), remove } });
});
afterEach(async () => {
  await rig.close();
  await rm(dir, { recursive: true, force: true });
});

const remove = () => Promise.reject(new Error('429 Slow Down'));

/** Creates a video from a form with these files. */
async function create(fields: Record<string, string>, ...files: Uint8Array[]) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const file of files) body.append('input_reference', new Blob([Buffer.from(file)]), 'a.png');
  const headers = { authorization: `Bearer ${KEYS.alice}`, 'idempotency-key': 'the-same' };
  const response = await rig.call('/v1/videos', { method: 'POST', headers, body });
  // The cast is safe because the response is a video or an error.
  const { id, error } = (await response.json()) as { id?: string; error?: { code: string } };
  return { status: response.status, id, code: error?.code, isReplay: response.headers.get('idempotent-replayed') };
}

describe('a store that fails to remove files', () => {
  it('returns the existing task for a repeated request', async () => {
    const first = await create({ prompt: 'a kite' }, TINY_PNG);
    expect(first).toMatchObject({ status: 200, isReplay: null });
    expect(await create({ prompt: 'a kite' }, TINY_PNG)).toEqual({ ...first, isReplay: 'true' });
  });

  it("reports the client's error", async () => {
    expect(await create({ prompt: 'a kite' }, TINY_PNG, Buffer.from('no image'))).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
    expect(await create({ prompt: 'a kite', model: 'nothing' }, TINY_PNG)).toMatchObject({ status: 404 });
  });
});
