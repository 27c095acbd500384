import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { VendorListSchema, VendorModelsSchema } from './vendor-endpoints.ts';

const KEY = 'sk-pasted-vendor-key';
const seen: IncomingMessage[] = [];
const vendor = createServer((request, response) => {
  seen.push(request);
  const isValid = request.headers.authorization === `Bearer ${KEY}`;
  response.writeHead(isValid ? 200 : 401, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isValid ? { data: [{ id: 'm-2' }, { id: 'm-1' }] } : { error: { message: 'no' } }));
});

let rig: AdminRig;
beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  const { port } = vendor.address() as AddressInfo; // The server listens on TCP.
  const base = `http://127.0.0.1:${port}`;
  rig = await adminRig({
    config: {
      server: { admin_key: 'an admin key of the rig' },
      upstreams: {
        acme: { kind: 'chat-completions', base_url: `${base}/v1?secret=hidden`, api_key: 'k' },
        mistral: { kind: 'chat-completions', base_url: `${base}/mistral`, api_key: 'k' },
      },
      models: [{ id: 'text', routes: [{ upstream: 'acme', model: 'm' }] }],
    },
  });
});
afterAll(async () => {
  await rig.close();
  vendor.close();
});

describe('GET /admin/v1/vendors', () => {
  it('lists the known vendors with their configuration', async () => {
    const { data } = VendorListSchema.parse((await rig.admin('GET', 'vendors')).body);
    const find = (name: string) => data.find((one) => one.name === name);
    expect(find('anthropic')).toMatchObject({
      source: 'catalog',
      is_configured: false,
      lists_models: true,
      base_url: 'https://api.anthropic.com',
      variables: ['ANTHROPIC_API_KEY'],
      upstreams: { anthropic: { kind: 'messages', api_key: '${ANTHROPIC_API_KEY}' } },
      models: [{ id: 'claude-*', routes: [{ upstream: 'anthropic', model: 'claude-*' }] }],
    });
    expect(find('kling')).toMatchObject({ lists_models: false, variables: ['KLING_API_KEY'] });
  });

  it('shows the address of a configured upstream without its query', async () => {
    const { body } = await rig.admin('GET', 'vendors');
    const { data } = VendorListSchema.parse(body);
    const acme = data.find(({ name }) => name === 'acme');
    expect(acme).toMatchObject({ source: 'configuration', is_configured: true, lists_models: true, upstreams: {} });
    expect(acme?.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(data.find(({ name }) => name === 'mistral')?.base_url).toMatch(/\/mistral$/);
    expect(JSON.stringify(body)).not.toContain('hidden');
  });
});

describe('POST /admin/v1/vendors/{name}/models', () => {
  it('lists the models of the pasted key, and does not log the key', async () => {
    const { status, body } = await rig.admin('POST', 'vendors/acme/models', { api_key: ` ${KEY} ` });
    expect([status, VendorModelsSchema.parse(body).data.map(({ id }) => id)]).toEqual([200, ['m-1', 'm-2']]);
    expect(seen.at(-1)?.url).toBe('/v1/models?secret=hidden');
    expect(JSON.stringify(body) + rig.logs()).not.toContain(KEY);
  });

  it('calls the configured address of a known vendor', async () => {
    expect((await rig.admin('POST', 'vendors/mistral/models', { api_key: KEY })).status).toBe(200);
    expect(seen.at(-1)?.url).toBe('/mistral/models');
  });

  it('reports that the vendor refused the key', async () => {
    const { status, body } = await rig.admin('POST', 'vendors/acme/models', { api_key: 'sk-wrong-vendor-key' });
    expect(status).toBe(400);
    expect(body['error']).toMatchObject({ param: 'api_key', message: expect.stringContaining('refused the key') });
    expect(rig.logs()).not.toContain('sk-wrong-vendor-key');
  });
});
