import { describe, expect, it } from 'vitest';
import type { JsonResponse } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';
import { against } from '../../test/wire-rig.ts';

const file: JsonResponse = (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('clip');

describe('content', () => {
  it.each([
    [true, 'Bearer key-1'],
    [false, undefined],
  ])('is downloaded with the credential if the vendor requires it: %s', (signsDownloads, expected) =>
    against(
      () => file,
      { signsDownloads },
      async (capability, vendor, job) => {
        const outcome = await capability.openContent(job, { index: 0, url: `${vendor.origin}/v.mp4` }, NEVER);
        if (outcome.kind !== 'opened') throw new Error(outcome.kind);
        for await (const chunk of outcome.body) expect(Buffer.from(chunk).toString()).toBe('clip');
        expect(vendor.recorded[0]?.headers.authorization).toBe(expected);
      },
    ),
  );

  it('is requested again through the job, each output by its index', () => {
    let origin = '';
    const outputs = (): { url: string }[] => [0, 1].map((at) => ({ url: `${origin}/${at}.png` }));
    return against(
      () => file,
      { readPoll: () => ({ kind: 'succeeded', outputs: outputs() }) },
      async (capability, vendor, job) => {
        ({ origin } = vendor);
        const outcome = await capability.openContent(job, { index: 1 }, NEVER);
        expect(outcome.kind).toBe('opened');
        if (outcome.kind === 'opened') for await (const chunk of outcome.body) expect(chunk).toHaveLength(4);
        expect(vendor.recorded.map(({ url }) => url)).toEqual(['/v1/jobs/up_1', '/1.png']);
      },
    );
  });

  it('from a response is never requested again', () =>
    against(
      () => ({ status: 403, body: {} }),
      {},
      async (capability, vendor, job) => {
        const output = { index: 0, url: `${vendor.origin}/0.png` };
        const outcome = await capability.openContent({ ...job, upstreamId: '' }, output, NEVER);
        expect(outcome).toMatchObject({ kind: 'denied' });
        expect(vendor.recorded.map(({ url }) => url)).toEqual(['/0.png']);
      },
    ));

  it.each([
    ['content_expired', 'expired'],
    ['provider_error', 'unclear'],
  ] as const)('of a job that now reports a failure with %s is %s', (code, kind) =>
    against(
      () => ({ status: 404, body: {} }),
      { readPoll: () => ({ kind: 'failed', code, message: 'why' }) },
      async (capability, vendor, job) => {
        const outcome = await capability.openContent(job, { index: 0, url: `${vendor.origin}/0.png` }, NEVER);
        expect(outcome.kind).toBe(kind);
      },
    ),
  );
});
