import { setTimeout as pause } from 'node:timers/promises';
import { UnsupportedParamsError } from '@sluice/canonical';
import { CONTENT_BYTES, megabytes } from '@sluice/vendors';
import { describe, expect, it } from 'vitest';
import { deadOrigin } from '../../test/local-server.ts';
import { mediaContext } from '../../test/media-context.ts';
import { type JsonResponse, jsonVendor, mediaJob, videoParams } from '../../test/media-rig.ts';
import { NEVER, image as imageInput } from '../../test/videos-rig.ts';
import { against, upstream, type Wire, WIRE } from '../../test/wire-rig.ts';
import { noSuchModel } from './path-segments.ts';
import { imageBase64 } from './plan/image-bytes.ts';

/** A vendor that returns outputs in the submission response. */
const SYNCHRONOUS: Wire = {
  plan: (...args) => WIRE.plan(...args),
  submission: (...args) => WIRE.submission(...args),
  readSubmission: (...args) => WIRE.readSubmission(...args),
};
const find: Wire['find'] = async (_params, send, { seconds }) => {
  await send({ method: 'GET', path: `/found/${seconds}` });
  return { kind: 'none' };
};

const refusesSignatureTime: Wire['refusesSignatureTime'] = ({ status }) => status === 401;
const ok = (): JsonResponse => ({ body: {} });

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('torn');
}

it('returns the plan in a review, or throws', () => {
  const capability = upstream('https://vendor.example');
  const losses: object[] = [];
  expect(capability.baseUrl).toBe('https://vendor.example/v1');
  expect(capability.review('8', videoParams({}).request, (loss) => losses.push(loss))).toEqual({ seconds: '8' });
  expect(losses).toEqual([{ field: 'seed', how: 'dropped' }]);
  expect(() => capability.review('8', videoParams({ prompt: 'never' }).request, () => undefined)).toThrow(
    UnsupportedParamsError,
  );
});

it('reports the status of each response to observers', () => {
  const statuses: number[] = [];
  const observe = ({ httpStatus }: { httpStatus: number }) => void statuses.push(httpStatus);
  const cancellation: Wire['cancellation'] = {
    call: () => ({ method: 'POST', path: '/stop' }),
    read: () => ({ kind: 'canceled' }),
  };
  const responses = [200, 429, 404, 204].map((status) => ({ status, body: {} }));
  return against(
    () => responses[statuses.length] ?? { body: {} },
    { find, cancellation },
    async (capability, _vendor, job) => {
      await capability.submit(videoParams({}), NEVER, observe);
      await capability.poll(job, NEVER, observe);
      await capability.find?.(videoParams({}), NEVER, observe);
      await capability.cancel?.(job, NEVER, observe);
      expect(statuses).toEqual([200, 429, 404, 204]);
    },
  );
});

describe('submission', () => {
  it('is sent once, signed, and read by the wire', () =>
    against(ok, {}, async (capability, vendor) => {
      expect(await capability.submit(videoParams({}), NEVER)).toEqual({ kind: 'accepted', upstreamId: 'up_1' });
      expect(vendor.recorded).toMatchObject([
        {
          method: 'POST',
          url: '/v1/jobs?x=1',
          headers: { authorization: 'Bearer key-1', 'x-client-request-id': 'video_task1' },
          body: { prompt: 'a red kite' },
        },
      ]);
    }));

  it('is refused before it is sent if the model cannot serve it', () =>
    against(ok, {}, async (capability, vendor) => {
      expect(await capability.submit(videoParams({ prompt: 'never' }), NEVER)).toEqual({
        kind: 'rejected',
        code: 'invalid_request',
        message: 'The model does not support the request: prompt is not for this model.',
      });
      expect(vendor.recorded).toEqual([]);
    }));

  it.each([
    [[31], '30 MB'],
    [[20, 26], '45 MB'],
  ])('is refused for images of %o MB', (sizes, message) => {
    const images = sizes.map((size) => ({ ...imageInput('a'), bytes: megabytes(size) }));
    return against(ok, { imageFiles: CONTENT_BYTES }, async (capability, vendor) => {
      const outcome = await capability.submit(videoParams({}, { images }), NEVER);
      expect(outcome).toMatchObject({ kind: 'rejected', code: 'invalid_request' });
      expect(outcome).toHaveProperty('message', expect.stringContaining(message));
      expect(vendor.recorded).toEqual([]);
    });
  });

  it('waits if its image cannot be read, and nothing is sent', () =>
    against(
      ok,
      {
        submission: async ({ images: [image] }) => ({
          method: 'POST',
          path: '/jobs',
          json: image && (await imageBase64(image)),
        }),
      },
      async (capability, vendor) => {
        for (const open of [() => Promise.reject(new Error('gone')), () => Promise.resolve(breaking())]) {
          const images = [{ ...imageInput('a'), open }];
          expect(await capability.submit(videoParams({}, { images }), NEVER)).toMatchObject({
            kind: 'busy',
            code: 'provider_error',
          });
        }
        expect(vendor.recorded).toEqual([]);
      },
    ));

  it.each([
    ['a name that no model can have', 'invalid_request', () => Promise.reject(noSuchModel())],
    ['a mistake of ours', 'provider_error', () => Promise.reject(new TypeError('x is not a function'))],
    [
      'a body that cannot be written',
      'provider_error',
      () => ({ method: 'POST', path: '/jobs', json: { toJSON: () => 'x'.repeat(2 ** 29) } }) as const,
    ],
  ])('fails for %s, and nothing is sent', async (_what, code, make) => {
    await using vendor = await jsonVendor(ok);
    await using context = mediaContext([vendor.origin]);
    const capability = upstream(vendor.origin, context, { ...WIRE, submission: make });
    expect(await capability.submit(videoParams({}), NEVER)).toMatchObject({ kind: 'rejected', code });
    expect(vendor.recorded).toEqual([]);
    expect(/"stack":/.test(context.logged())).toBe(code === 'provider_error');
  });

  it('with a lost response is unknown and never sent again', () =>
    against(
      () => undefined,
      {},
      async (capability, vendor) => {
        expect(await capability.submit(videoParams({}), NEVER)).toMatchObject({ kind: 'unknown' });
        expect(vendor.recorded).toHaveLength(1);
      },
    ));

  it('that was not sent may be retried', async () => {
    const origin = await deadOrigin();
    await using context = mediaContext([origin]);
    expect(await upstream(origin, context).submit(videoParams({}), NEVER)).toMatchObject({ kind: 'busy' });
    expect(context.logged()).toContain('"sent":"no"');
    expect(context.logged()).not.toMatch(/red kite|key-1|127\.0/);
  });

  it('has the timeout of its call', () =>
    against(
      () => (response) => void pause(150).then(() => response.writeHead(200).end('{}')),
      { submission: () => ({ method: 'POST', path: '/jobs', json: {}, timeoutMs: 20 }) },
      async (capability) => {
        expect(await capability.submit(videoParams({}), NEVER)).toMatchObject({ kind: 'unknown' });
      },
    ));
});

describe('call refused for the time of its signature', () => {
  it('is signed again and retried once', () =>
    against(
      () => ({ status: 401, body: {} }),
      { refusesSignatureTime },
      async (capability, vendor, job) => {
        expect(await capability.submit(videoParams({}), NEVER)).toMatchObject({ kind: 'unknown' });
        expect(vendor.recorded).toHaveLength(2);
        await capability.poll(job, NEVER);
        expect(vendor.recorded).toHaveLength(4);
      },
    ));

  it('is not retried after another error', () =>
    against(
      () => ({ status: 403, body: {} }),
      { refusesSignatureTime },
      async (capability, vendor) => {
        await capability.submit(videoParams({}), NEVER);
        expect(vendor.recorded).toHaveLength(1);
      },
    ));
});

describe('job', () => {
  it('is polled where it was accepted, without a credential for another origin', async () => {
    await using vendor = await jsonVendor(ok);
    await using context = mediaContext([]);
    const capability = upstream('https://elsewhere.example', context);
    expect(await capability.poll(mediaJob(`${vendor.origin}/old`), NEVER)).toEqual({ kind: 'running' });
    expect(vendor.recorded).toMatchObject([{ method: 'GET', url: '/old/jobs/up_1' }]);
    expect(vendor.recorded[0]?.headers.authorization).toBeUndefined();
  });

  it('is unclear without a response', () =>
    against(
      () => undefined,
      {},
      async (capability, _vendor, job) => {
        expect(await capability.poll(job, NEVER)).toMatchObject({ kind: 'unclear' });
      },
    ));

  it('is unclear if the vendor stores none', () => {
    const capability = upstream('https://vendor.example', mediaContext([]), SYNCHRONOUS);
    return expect(capability.poll(mediaJob('https://vendor.example'), NEVER)).resolves.toMatchObject({
      kind: 'unclear',
    });
  });

  it('lets the reader of a response send another call', () =>
    against(
      ok,
      {
        readPoll: async (_response, _job, _tools, send) => {
          const { status } = await send({ method: 'GET', path: '/more' });
          return { kind: 'running', progress: status / 10 };
        },
      },
      async (capability, vendor, job) => {
        expect(await capability.poll(job, NEVER)).toEqual({ kind: 'running', progress: 20 });
        expect(vendor.recorded.map(({ url }) => url)).toEqual(['/v1/jobs/up_1', '/v1/more']);
      },
    ));
});

describe('operations that a vendor lacks', () => {
  it('are absent', () => {
    expect(Object.keys(upstream('https://vendor.example'))).not.toEqual(expect.arrayContaining(['find']));
    expect(Object.keys(upstream('https://vendor.example'))).not.toEqual(expect.arrayContaining(['cancel']));
  });
});

describe('lookup', () => {
  it('gets the plan of the submission', () =>
    against(ok, { find }, async (capability, vendor) => {
      expect(await capability.find?.(videoParams({}, { model: '8' }), NEVER)).toEqual({ kind: 'none' });
      expect(vendor.recorded[0]?.url).toBe('/v1/found/8');
    }));

  it('proves nothing without a response, nor for a request that is no longer valid', () =>
    against(
      () => undefined,
      { find },
      async (capability) => {
        expect(await capability.find?.(videoParams({}), NEVER)).toMatchObject({ kind: 'unclear' });
        expect(await capability.find?.(videoParams({ prompt: 'never' }), NEVER)).toMatchObject({ kind: 'unclear' });
      },
    ));
});

describe('cancellation', () => {
  const cancellation: Wire['cancellation'] = {
    call: ({ upstreamId }) => (upstreamId === '' ? undefined : { method: 'DELETE', path: `/jobs/${upstreamId}` }),
    read: ({ status }) => (status === 200 ? { kind: 'canceled' } : { kind: 'unsupported' }),
  };

  it('is a call that the wire reads', () =>
    against(ok, { cancellation }, async (capability, vendor, job) => {
      expect(await capability.cancel?.(job, NEVER)).toEqual({ kind: 'canceled' });
      expect(await capability.cancel?.({ ...job, upstreamId: '' }, NEVER)).toEqual({ kind: 'unsupported' });
      expect(vendor.recorded).toMatchObject([{ method: 'DELETE', url: '/v1/jobs/up_1' }]);
    }));

  it('is unclear without a response', () =>
    against(
      () => undefined,
      { cancellation },
      async (capability, _vendor, job) => {
        expect(await capability.cancel?.(job, NEVER)).toMatchObject({ kind: 'unclear' });
      },
    ));
});
