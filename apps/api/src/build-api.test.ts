import { taskRig } from '@sluice/testkit';
import { describe, expect, it } from 'vitest';
import { apiRig, KEYS } from '../test/api-rig.ts';
import { rawHttp } from '../test/raw-http.ts';

describe('buildApi', () => {
  it('gives an API that hides what went wrong inside, and tells the log', async () => {
    const tasks = await taskRig();
    // A real engine but for one defect.
    const rig = await apiRig({
      engine: { ...tasks.engine, list: () => Promise.reject(new TypeError('the inner reason')) },
    });
    try {
      const response = await rig.call('/v1/videos');
      expect(response.status).toBe(500);
      expect(response.headers.get('x-should-retry')).toBe('false');
      const body = await response.text();
      expect(JSON.parse(body)).toMatchObject({ error: { code: 'internal_error', type: 'server_error' } });
      expect(body).not.toContain('the inner reason');
      expect(rig.logs()).toContain('the inner reason');
      expect(rig.logs()).toContain(response.headers.get('x-request-id'));
    } finally {
      await rig.close();
      await tasks.close();
    }
  });

  it('gives two APIs that do not mix their clients, tasks and numbers', async () => {
    const [one, two] = await Promise.all([apiRig(), apiRig()]);
    try {
      await one.create();
      expect(await (await two.call('/v1/videos')).json()).toMatchObject({ data: [] });
      expect(await two.metrics.render()).not.toMatch(/method="POST"/);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });

  it('serves HTTP/1.0 without a Host, where links have no host to name', async () => {
    const rig = await apiRig();
    try {
      const response = await rawHttp(rig.port, [`GET /v1/videos HTTP/1.0\r\nx-api-key: ${KEYS.alice}\r\n\r\n`]);
      expect(response.status).toBe(200);
    } finally {
      await rig.close();
    }
  });

  it('finishes what is under way when it closes, and takes nothing new', async () => {
    const rig = await apiRig();
    try {
      const waiting = rig.create({ prompt: 'slow' }, { prefer: 'wait=1' });
      await expect.poll(() => rig.taskIds()).toHaveLength(1);
      const closed = rig.app.close();
      expect((await waiting).status).toBe(200);
      await closed;
      await expect(rig.call('/health/live')).rejects.toThrow();
    } finally {
      await rig.close();
    }
  });
});
