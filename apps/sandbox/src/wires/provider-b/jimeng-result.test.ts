import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { WireError } from '../../http/wire-error.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { type JimengFiles, jimengResult, readJimengRequest } from './jimeng-result.ts';

const files: JimengFiles = {
  urls: (outputs) => outputs.map((index) => `https://tos/${index}`),
  base64: (outputs) => outputs.map((index) => `base64 ${index}`),
};

function result(now: number, more: Partial<MediaJob> = {}, withUrls = true): unknown {
  try {
    return jimengResult(testJob(more), now, withUrls, files);
  } catch (error) {
    return error instanceof WireError
      ? [error.status, Object(error.body('')).code, Object(error.body('')).data]
      : error;
  }
}

describe('jimengResult', () => {
  it('goes from in_queue to generating to done, and expires after half a day', () => {
    expect(result(0)).toEqual({ status: 'in_queue' });
    expect(result(500)).toEqual({ status: 'generating' });
    const done = { status: 'done', video_url: 'https://tos/0', resp_data: '', aigc_meta_tagged: false };
    expect(result(1000)).toEqual(done);
    expect(result(12 * 3600 * 1000 - 1)).toEqual(done);
    expect(result(12 * 3600 * 1000)).toEqual({ status: 'expired' });
  });

  it('returns images as URLs or as base64', () => {
    const images = { kind: 'image', count: 2 } as const;
    const urls = ['https://tos/0', 'https://tos/1'];
    expect(result(1000, images)).toEqual({ status: 'done', image_urls: urls, binary_data_base64: null });
    const base64 = ['base64 0', 'base64 1'];
    expect(result(1000, images, false)).toEqual({ status: 'done', image_urls: null, binary_data_base64: base64 });
    expect(result(1000, { ...images, prompt: '[partial]' })).toMatchObject({ image_urls: ['https://tos/0'] });
  });

  it('is done without an output with [nothing]', () => {
    expect(result(1000, { prompt: '[nothing]' })).toMatchObject({ status: 'done', video_url: '' });
    const none = { status: 'done', image_urls: null, binary_data_base64: null };
    expect(result(1000, { prompt: '[nothing]', kind: 'image' })).toEqual(none);
  });

  it('fails with an outer code', () => {
    expect(result(1000, { prompt: '[fail]' })).toEqual([500, 50_501, { status: 'done' }]);
    expect(result(1000, { prompt: '[moderated-output]' })).toEqual([400, 50_516, null]);
    expect(result(1000, { prompt: '[moderated-output]', kind: 'image' })).toEqual([400, 50_511, null]);
  });
});

describe('readJimengRequest', () => {
  it('parses return_url from the nested JSON', () => {
    const request = { req_key: 'k', task_id: '1' };
    expect(readJimengRequest(request)).toEqual({ reqKey: 'k', taskId: '1', withUrls: false });
    const req_json = '{"return_url":true,"logo_info":{"add_logo":false}}';
    expect(readJimengRequest({ ...request, req_json }).withUrls).toBe(true);
    expect(readJimengRequest({ ...request, req_json: '' }).withUrls).toBe(false);
  });

  it.each([
    [{ task_id: '1' }, 'req_key'],
    [{ req_key: 'k' }, 'task_id'],
    [{ req_key: 'k', task_id: 1 }, 'task_id'],
    [{ req_key: 'k', task_id: '1', req_json: { return_url: true } }, 'req_json'],
    [{ req_key: 'k', task_id: '1', req_json: 'return_url' }, 'req_json'],
    [{ req_key: 'k', task_id: '1', req_json: '{"return_url":"yes"}' }, 'req_json'],
    [{ req_key: 'k', task_id: '1', req_json: '[]' }, 'req_json'],
  ])('rejects %j', (body, field) => {
    expect(() => readJimengRequest(body)).toThrow(field);
  });
});
