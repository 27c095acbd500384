import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

/** Without workers, so that every task stays queued. */
let idleRig: ApiRig;
beforeAll(async () => {
  idleRig = await apiRig();
});
afterAll(() => idleRig.close());

type Video = { id: string };

describe('GET /v1/videos', () => {
  it('omits images and rejects an image as a cursor', async () => {
    for (const order of ['asc', 'desc']) {
      const response = await idleRig.call(`/v1/videos?order=${order}&after=image_00000000000000000000000000`);
      expect(response.status).toBe(400);
    }
  });

  it('paginates all videos of the key in both directions', async () => {
    const rig = await apiRig();
    try {
      const ids: string[] = [];
      for (let i = 0; i < 7; i++) ids.push(await rig.createdId({ prompt: `video ${i}` }));
      await rig.create({ prompt: 'not mine' }, {}, KEYS.bob);
      for (const [order, expected] of [
        ['asc', ids],
        ['desc', ids.toReversed()],
      ] as const) {
        const seen: string[] = [];
        let after = '';
        for (let more = true; more;) {
          const page = (await (await rig.call(`/v1/videos?limit=3&order=${order}${after}`)).json()) as {
            data: Video[];
            has_more: boolean;
            first_id: string;
            last_id: string;
          };
          expect(page.first_id).toBe(page.data[0]?.id);
          expect(page.last_id).toBe(page.data.at(-1)?.id);
          seen.push(...page.data.map(({ id }) => id));
          after = `&after=${page.last_id}`;
          more = page.has_more;
        }
        expect(seen).toEqual(expected);
      }
    } finally {
      await rig.close();
    }
  });
});
