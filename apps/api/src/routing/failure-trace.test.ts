import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { failureTrace, traced } from './failure-trace.ts';

describe('failureTrace', () => {
  it("contains the gateway's code and status, and the upstream's status, and a hash of the message", () => {
    expect(failureTrace(new GatewayError('provider_error', 'It failed.'), 500)).toEqual({
      type: 'GatewayError',
      code: 'provider_error',
      status: 502,
      upstream_status: 500,
      message_hash: '6acb60f10dd8',
    });
  });

  it.each([{ error: 'a secret' }, 'a secret', ['a secret']])('contains nothing of a body such as %j', (cause) => {
    expect(JSON.stringify(failureTrace(new GatewayError('provider_error', 'It failed.', { cause })))).not.toContain(
      'secret',
    );
  });

  it('contains names, codes, and stacks of causes without their messages', () => {
    const socket = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7\n    said a secret'), {
      code: 'ECONNREFUSED',
    });
    const broken = Object.assign(new Error('no secret', { cause: socket }), {
      name: 'UpstreamError',
      failure: 'connect',
    });
    const trace = failureTrace(new GatewayError('provider_error', 'It failed.', { cause: broken }));
    expect(trace).toMatchObject({
      cause: {
        type: 'UpstreamError',
        failure: 'connect',
        stack: expect.stringMatching(/^at .*failure-trace\.test/),
        cause: { type: 'Error', code: 'ECONNREFUSED' },
      },
    });
    expect(JSON.stringify(trace)).not.toMatch(/secret|10\.0\.0\.7/);
  });

  it('handles circular causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(failureTrace(new GatewayError('provider_error', 'It failed.', { cause: error })))).toContain(
      'GatewayError',
    );
  });
});

describe('traced', () => {
  it('replaces the vendor’s body by the trace and keeps everything else', () => {
    const error = new GatewayError('rate_limited', 'key sk-1 is slow', {
      param: 'a',
      retryAfterMs: 5,
      cause: 'a body',
    });
    const original = { status: 429, body: '{}' };
    const copy = traced(error, { message: 'key … is slow', upstreamStatus: 429, original });
    expect(copy).toMatchObject({
      code: 'rate_limited',
      message: 'key … is slow',
      param: 'a',
      retryAfterMs: 5,
      original,
    });
    expect(copy.cause).toEqual(expect.objectContaining({ code: 'rate_limited', upstream_status: 429 }));
    expect(JSON.stringify(copy.cause)).not.toMatch(/sk-1|a body/);
  });

  it('keeps an existing trace', () => {
    const once = traced(new GatewayError('provider_error', 'It failed.'), { upstreamStatus: 500 });
    expect(traced(once).cause).toBe(once.cause);
    expect(failureTrace(once)).toBe(once.cause);
  });
});
