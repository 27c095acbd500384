import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig } from '../../test/api-rig.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig();
});
afterAll(() => rig.close());

describe('the documentation', () => {
  it('needs no key', async () => {
    for (const at of ['/openapi.json', '/docs', '/docs/']) {
      expect((await fetch(rig.origin + at)).status, at).toBe(200);
    }
  });

  it('is a page that loads its own script and names no other host', async () => {
    const response = await rig.call('/docs/');
    const html = await response.text();
    expect(html).not.toMatch(/(https?:)?\/\/[a-z]/i);
    expect(html).toContain('/openapi.json');
    const [, script = ''] = /<script src="([^"]+)"/.exec(html) ?? [];
    const loaded = await fetch(new URL(script, response.url));
    expect(loaded.status).toBe(200);
    expect(loaded.headers.get('content-type')).toContain('javascript');
    expect((await loaded.text()).length).toBeGreaterThan(100_000);
  });

  it('is titled Sluice and turns off the features of Scalar that call other hosts', async () => {
    const html = await (await rig.call('/docs/')).text();
    expect(html).toContain('<title>Sluice API reference</title>');
    const [, options = '{}'] = /createApiReference\('#app', (\{.*\})\)/s.exec(html) ?? [];
    expect(JSON.parse(options)).toMatchObject({
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    });
  });

  it('forbids the page to load from or connect to other hosts', async () => {
    const policy = (await rig.call('/docs/')).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
    expect((await rig.call('/openapi.json')).headers.get('content-security-policy')).toBeNull();
  });

  it('reports the running version', async () => {
    expect(await (await rig.call('/openapi.json')).json()).toMatchObject({ info: { version: '1.2.3' } });
  });
});
