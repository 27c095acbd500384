import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { requestStatus, requestUrls } from './request-status.ts';

const job = testJob({ wire: 'fal', path: 'fal-ai/flux', model: 'fal-ai/flux/dev' });
const urls = requestUrls('http://fal.example/fal', job);

describe('requestUrls', () => {
  it('omits the path below the application', () => {
    expect(urls).toEqual({
      response_url: 'http://fal.example/fal/fal-ai/flux/requests/job-1',
      status_url: 'http://fal.example/fal/fal-ai/flux/requests/job-1/status',
      cancel_url: 'http://fal.example/fal/fal-ai/flux/requests/job-1/cancel',
    });
  });
});

const statusAt = (now: number, more: Parameters<typeof testJob>[0] = {}, logs = false) =>
  requestStatus({ ...job, ...more }, now, { urls, ahead: 2, logs });

describe('requestStatus', () => {
  it('returns the position while queued, only the status while running, and the run time at the end', () => {
    expect(statusAt(0)).toEqual({ status: 'IN_QUEUE', request_id: 'job-1', ...urls, queue_position: 2 });
    expect(statusAt(500)).toEqual({ status: 'IN_PROGRESS', request_id: 'job-1', ...urls, logs: null });
    const metrics = { inference_time: 1 };
    expect(statusAt(1000)).toEqual({ status: 'COMPLETED', request_id: 'job-1', ...urls, logs: null, metrics });
  });

  it('returns logs on request', () => {
    expect(statusAt(500, {}, true)).toMatchObject({ logs: [{ message: '50%', level: 'INFO', source: 'USER' }] });
  });

  it('reports a failure like a success, and why it was canceled', () => {
    expect(statusAt(1000, { prompt: '[fail]' })).toEqual(statusAt(1000));
    expect(statusAt(1000, { canceledAt: 500 })).toMatchObject({ status: 'COMPLETED', error_type: 'client_cancelled' });
  });
});
