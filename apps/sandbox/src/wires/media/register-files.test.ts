import { fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testJob, testVendor } from '../../../test/media-rig.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import type { OutputKind } from './render-output.ts';
import { registerFiles } from './register-files.ts';
import { createResultUrls, type UrlLife } from './result-urls.ts';

const END = 1000;
let clock = END;
let vendor = testVendor();
let app = fastify();
let origin = '';

beforeEach(async () => {
  clock = END;
  vendor = testVendor({ now: () => clock });
  app = fastify({ forceCloseConnections: true });
  registerFiles(app, vendor);
  app.get<{ Params: { id: string; kind: OutputKind }; Querystring: { since: UrlLife['since'] } }>(
    '/urls/:id/:kind',
    (request) => {
      const job = vendor.ledger.find('vidu', request.params.id) ?? testJob();
      const files = [0, 1].map((index) => ({ index, kind: request.params.kind }));
      return createResultUrls(vendor, request, job, { lifeMs: 3600, since: request.query.since }, files);
    },
  );
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

function accept(more: Partial<MediaJob> = {}, kind: OutputKind = 'mp4', since: UrlLife['since'] = 'end') {
  vendor.ledger.accept(testJob(more));
  return async (): Promise<string[]> => {
    const response: unknown = await (await fetch(`${origin}/urls/job-1/${kind}?since=${since}`)).json();
    const { urls } = Object(response);
    return Array.isArray(urls) ? urls.map(String) : [];
  };
}

async function refusal(url: string): Promise<[number, string]> {
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toContain('xml');
  return [response.status, /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? ''];
}

describe('the result files', () => {
  it('are videos and images, different for each index, with Range and HEAD and without a key', async () => {
    const [video = '', second = ''] = await accept()();
    const response = await fetch(video);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    const part = await fetch(video, { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
    const head = await fetch(video, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    expect((await fetch(second)).headers.get('etag')).not.toBe(response.headers.get('etag'));
    const [image = ''] = await accept({}, 'png')();
    expect((await fetch(image)).headers.get('content-type')).toBe('image/png');
  });

  it('have the same URL until it expires', async () => {
    const requestUrls = accept();
    const [url = ''] = await requestUrls();
    clock = END + 3599;
    expect((await requestUrls())[0]).toBe(url);
    expect((await fetch(url)).status).toBe(200);
    clock += 1;
    expect(await refusal(url)).toEqual([403, 'AccessDenied']);
  });

  it('have a new URL for each request, if the vendor returns new URLs', async () => {
    const requestUrls = accept({}, 'png', 'request');
    clock = END + 1_000_000;
    const [url = ''] = await requestUrls();
    expect((await fetch(url)).status).toBe(200);
    clock += 3600;
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch((await requestUrls())[0] ?? '')).status).toBe(200);
  });

  it('require the signature of exactly this path and expiry', async () => {
    const [url = '', other = ''] = await accept()();
    const [path = '', query = ''] = url.split('?');
    const later = url.replace(/expires=\d+/, 'expires=99999999999999');
    expect(await refusal(later)).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await refusal(`${other.split('?')[0]}?${query}`)).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await refusal(`${url.slice(0, -1)}x`)).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await refusal(path)).toEqual([403, 'AccessDenied']);
  });

  it('exist only after the job has ended and until it is deleted', async () => {
    const [url = ''] = await accept({ renderMs: 2000 })();
    expect(await refusal(url)).toEqual([404, 'NoSuchKey']);
    clock = 2000;
    expect((await fetch(url)).status).toBe(200);
    vendor.ledger.remove(testJob(), false);
    expect(await refusal(url)).toEqual([404, 'NoSuchKey']);
  });

  it('have expired with [expire] always, with [expire-once] only at the first request', async () => {
    const always = accept({ prompt: 'kite [expire]' });
    for (const turn of [1, 2]) {
      const urls = await always();
      expect([turn, await refusal(urls[0] ?? '')]).toEqual([turn, [403, 'AccessDenied']]);
    }
    const once = accept({ prompt: 'kite [expire-once]' });
    const seen: number[] = [];
    for (const url of [...(await once()), ...(await once())]) seen.push((await fetch(url)).status);
    expect(seen).toEqual([403, 403, 200, 200]);
  });

  it('are cut off in the first two downloads with [cut]', async () => {
    const [url = ''] = await accept({ prompt: 'kite [cut]' })();
    for (const turn of [1, 2]) {
      const response = await fetch(url);
      expect([turn, response.status]).toEqual([turn, 200]);
      await expect(response.arrayBuffer()).rejects.toThrow('terminated');
    }
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBeGreaterThan(0);
  });
});
