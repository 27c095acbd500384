import { taskRig } from '@sluice/testkit';
import { describe, expect, it } from 'vitest';
import { apiRig, KEYS } from '../test/api-rig.ts';
import { rawHttp } from '../test/raw-http.ts';

describe('buildApi', () => {
  it('hides internal errors from clients and logs them', async () => {
    const tasks = await taskRig();
    // A real engine in which one method fails.
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

  it('keeps clients, tasks, and metrics of two APIs apart', async () => {
    const [one, two] = await Promise.all([apiRig(), apiRig()]);
    try {
      await one.create();
      expect(await (await two.call('/v1/videos')).json()).toMatchObject({ data: [] });
      expect(await two.metrics.render()).not.toMatch(/method="POST"/);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });

  it('serves HTTP/1.0 without a Host header, with links that name no host', async () => {
    const rig = await apiRig();
    try {
      const response = await rawHttp(rig.port, [`GET /v1/videos HTTP/1.0\r\nx-api-key: ${KEYS.alice}\r\n\r\n`]);
      expect(response.status).toBe(200);
    } finally {
      await rig.close();
    }
  });

  it('finishes requests in progress when it closes, and accepts no new ones', async () => {
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
