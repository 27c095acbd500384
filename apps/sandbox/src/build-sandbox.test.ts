import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildSandbox } from './build-sandbox.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'sandbox-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const headers = { authorization: 'Bearer sk-sandbox' };
const body = { prompt: 'kite' };

describe('buildSandbox', () => {
  it('uses the configured clock and ids, and works without a port', async () => {
    const { app } = await buildSandbox({ newId: () => 'abc' });
    const response = await app.inject({ method: 'POST', url: '/v1/videos', headers, body });
    expect(response.json()).toMatchObject({ id: 'video_abc' });
    expect(response.headers['x-request-id']).toBe('req_abc');
    await app.close();
  });

  it('persists nothing without a data folder', async () => {
    for (const turn of [1, 2]) {
      const { app } = await buildSandbox();
      await app.inject({ method: 'POST', url: '/v1/videos', headers, body });
      expect([turn, (await app.inject('/_sandbox/submissions')).json()]).toMatchObject([turn, { total_applied: 1 }]);
      await app.close();
    }
  });

  it('restores everything from its data folder and starts on a damaged journal', async () => {
    for (const turn of [1, 2]) {
      const { app } = await buildSandbox({ dataDir });
      await app.inject({ method: 'POST', url: '/v1/videos', headers, body });
      expect((await app.inject('/_sandbox/submissions')).json()).toMatchObject({ total_applied: turn });
      await app.close();
      appendFileSync(path.join(dataDir, 'journal.jsonl'), '{"type":"accep');
    }
  });

  it('keeps the render time of existing jobs when the setting changes', async () => {
    const first = await buildSandbox({ dataDir, renderMs: 1e9 });
    await first.app.inject({ method: 'POST', url: '/v1/videos', headers, body });
    await first.app.close();
    const second = await buildSandbox({ dataDir, renderMs: 0 });
    const page = await second.app.inject({ url: '/v1/videos', headers });
    expect(page.json()).toMatchObject({ data: [{ status: 'queued' }] });
    await second.app.close();
  });
});
