import { describe, expect, it } from 'vitest';
import { testVendor } from '../../../test/media-rig.ts';
import type { MediaVendor } from './media-vendor.ts';
import { newJob } from './media-params.ts';

const shape = { kind: 'video', model: 'm', seconds: 5, width: 64, height: 36, count: 1, inputs: [] } as const;

function jobWith(more: Partial<MediaVendor>, prompt = 'kite', { startsAt = 5000, hasLag = true } = {}) {
  const vendor = testVendor({ now: () => 5000, renderMs: 2000, ...more });
  return newJob(
    vendor,
    { id: '1', wire: 'vidu', task: 'task' },
    { ...shape, prompt, inputs: [] },
    { startsAt, hasLag },
  );
}

describe('newJob', () => {
  it('renders for the time in the settings or in its prompt', () => {
    expect(jobWith({})).toMatchObject({ wire: 'vidu', task: 'task', prompt: 'kite', createdAt: 5000, renderMs: 2000 });
    expect(jobWith({}, 'kite [slow:30]').renderMs).toBe(30_000);
  });

  it('is hidden for a twentieth of the default render time, if the vendor API delays visibility', () => {
    expect(jobWith({}).visibleAt).toBe(5100);
    expect(jobWith({}, 'kite [slow:600]').visibleAt).toBe(5100);
    expect(jobWith({}, 'kite', { hasLag: false })).not.toHaveProperty('visibleAt');
  });

  it('is hidden for the time in the settings, in every vendor API', () => {
    expect(jobWith({ visibleAfterMs: 700 }, 'kite', { hasLag: false }).visibleAt).toBe(5700);
    expect(jobWith({ visibleAfterMs: 0 })).not.toHaveProperty('visibleAt');
  });

  it('records its start time', () => {
    expect(jobWith({})).not.toHaveProperty('startsAt');
    expect(jobWith({}, 'kite', { startsAt: 9000 }).startsAt).toBe(9000);
  });
});
