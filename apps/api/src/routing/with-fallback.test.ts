import { type ErrorCode, GatewayError, type GenerationRequest } from '@sluice/canonical';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { AttemptError, classifyRefusal } from './attempt-error.ts';
import { type CircuitBreakers, createCircuitBreakers } from './circuit-breaker.ts';
import { deepFrozen } from '../../test/deep-frozen.ts';
import { type AttemptResult, withFallback } from './with-fallback.ts';

const TARGETS = ['a', 'b', 'c'].map((upstream) => ({ target: { upstream } }));

let time: number;
let breakers: CircuitBreakers;
let client: AbortController;
let tried: string[];

beforeEach(() => {
  time = 0;
  breakers = createCircuitBreakers({ failures: 2, openMs: 10_000, maxOpenMs: 60_000, now: () => time });
  client = new AbortController();
  tried = [];
});

type Outcome = 'success' | Error;

/** Tries the targets. Each has one of the outcomes. */
function run(...outcomes: Outcome[]): Promise<string> {
  return withFallback(
    TARGETS.slice(0, outcomes.length),
    async ({ target: { upstream } }) => {
      const outcome = outcomes[TARGETS.findIndex(({ target }) => target.upstream === upstream)];
      tried.push(upstream);
      if (outcome instanceof Error) throw outcome;
      return `response of ${upstream}`;
    },
    { breakers, signal: client.signal },
  );
}

/** Tries the first target, which returns the result. */
function runFirst(result: AttemptResult): Promise<AttemptResult> {
  return withFallback(TARGETS.slice(0, 1), () => Promise.resolve(result), { breakers, signal: client.signal });
}

function refused(status: number, code: ErrorCode, retryAfterMs?: number): AttemptError {
  const error = new GatewayError(code, `${code} with ${status}`, {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
  return classifyRefusal(status, error);
}

describe('withFallback', () => {
  it('returns the first response and tries no other target', async () => {
    expect(await run(refused(503, 'provider_overloaded'), 'success', 'success')).toBe('response of b');
    expect(tried).toEqual(['a', 'b']);
  });

  it('stops at an error that allows no fallback', async () => {
    await expect(run(refused(429, 'rate_limited'), refused(400, 'invalid_request'), 'success')).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(tried).toEqual(['a', 'b']);
  });

  it.each<[string, [number, ErrorCode][], ErrorCode]>([
    ['a retry time rather than a failure', [[429, 'rate_limited'], [500, 'provider_error']], 'rate_limited'], // prettier-ignore
    ['a failure rather than rejected credentials', [[500, 'provider_error'], [401, 'provider_auth']], 'provider_error'], // prettier-ignore
    ['the later of two equally helpful errors', [[500, 'provider_error'], [502, 'internal_error']], 'internal_error'], // prettier-ignore
    ['rejected credentials if there is no other error', [[402, 'provider_quota'], [401, 'provider_auth']], 'provider_auth'], // prettier-ignore
  ])('returns %s', async (_what, refusals, expected) => {
    await expect(run(...refusals.map(([status, code]) => refused(status, code)))).rejects.toMatchObject({
      code: expected,
    });
  });

  it('rethrows any error other than AttemptError at once', async () => {
    const bug = new TypeError('a bug');
    await expect(run(bug, 'success')).rejects.toBe(bug);
    expect(tried).toEqual(['a']);
  });

  it('passes over an upstream whose breaker is open', async () => {
    breakers.failed('a');
    breakers.failed('a');
    expect(await run('success', 'success')).toBe('response of b');
    expect(tried).toEqual(['b']);
  });

  it('returns the earliest retry time when all circuits are open', async () => {
    for (const upstream of ['a', 'a', 'b', 'b']) {
      breakers.failed(upstream);
      time += 1_000;
    }
    await expect(run('success', 'success')).rejects.toMatchObject({
      code: 'no_upstream',
      status: 503,
      retryAfterMs: 7_000,
    });
    expect(tried).toEqual([]);
  });

  it('returns no retry time without targets', async () => {
    await expect(run()).rejects.toMatchObject({ code: 'no_upstream', retryAfterMs: undefined });
  });

  it('opens a circuit after failures, but not after rejections', async () => {
    const broken = new AttemptError({
      error: new GatewayError('provider_error', 'The connection broke.'),
      mayRetry: true,
      countsAsFailure: true,
    });
    for (let count = 0; count < 5; count += 1) await run(refused(429, 'rate_limited'), 'success');
    for (let count = 0; count < 5; count += 1) await run(refused(403, 'provider_auth'), 'success');
    expect(breakers.admit('a')).toBe('yes');
    await run(broken, 'success');
    await run(broken, 'success');
    expect(breakers.admit('a')).not.toBe('yes');
  });

  it('counts a buffered response at once, and a streamed one when it is complete', async () => {
    breakers.failed('a');
    await runFirst({ isStreaming: true });
    breakers.failed('a');
    expect(breakers.admit('a')).not.toBe('yes');
    time += 10_000;
    await runFirst({ isStreaming: false });
    breakers.failed('a');
    expect(breakers.admit('a')).toBe('yes');
  });

  it('admits other calls once the response to a probe has started', async () => {
    breakers.failed('a');
    breakers.failed('a');
    time += 10_000;
    await runFirst({ isStreaming: true });
    expect(breakers.admit('a')).toBe('yes');
    breakers.failed('a');
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 20_000 });
  });

  it('abandons the probe when the client disconnects, without a failure', async () => {
    breakers.failed('a');
    breakers.failed('a');
    time += 10_000;
    const result = withFallback(
      TARGETS,
      async () => {
        client.abort();
        throw refused(500, 'provider_error');
      },
      { breakers, signal: client.signal },
    );
    await expect(result).rejects.toMatchObject({ code: 'provider_error' });
    expect(breakers.admit('a')).toBe('yes');
  });

  it('tries no target for a disconnected client', async () => {
    client.abort(new Error('disconnected'));
    await expect(run('success')).rejects.toThrow('disconnected');
    expect(tried).toEqual([]);
  });

  it("isolates an attempt's changes from the next one", async () => {
    const request = fc.record({
      protocol: fc.constant('chat-completions' as const),
      model: fc.string(),
      stream: fc.boolean(),
      messages: fc.array(
        fc.record({
          role: fc.constantFrom('user' as const, 'assistant' as const),
          content: fc.array(fc.record({ type: fc.constant('text' as const), text: fc.string() })),
        }),
      ),
      tools: fc.array(
        fc.record({ kind: fc.constant('function' as const), name: fc.string(), schema: fc.dictionary(fc.string(), fc.jsonValue()) }), // prettier-ignore
      ),
    });
    const harm: ((request: GenerationRequest) => unknown)[] = [
      (shared) => (shared.model = 'another'),
      (shared) => shared.messages.push({ role: 'user', content: [] }),
      (shared) => shared.messages.splice(0),
      (shared) => shared.messages[0]?.content.splice(0, 1, { type: 'text', text: 'changed' }),
      (shared) => Object.assign(shared.tools[0]?.schema ?? {}, { type: 'object' }),
      (shared) => Reflect.deleteProperty(shared, 'tools'),
    ];
    await fc.assert(
      fc.asyncProperty(
        request,
        fc.array(fc.constantFrom(...harm), { minLength: 1, maxLength: 8 }),
        async (params, mutations) => {
          const before = JSON.stringify(params);
          const shared = deepFrozen(params);
          const seen: string[] = [];
          const targets = [...mutations, undefined].map((mutate, index) => ({
            target: { upstream: `u${index}` },
            mutate,
          }));
          const result = await withFallback(
            targets,
            async ({ mutate }) => {
              seen.push(JSON.stringify(shared));
              if (!mutate) return 'success';
              try {
                mutate(shared);
              } catch {
                // The attempt reports that the target does not support the request.
              }
              throw refused(503, 'provider_overloaded');
            },
            { breakers, signal: client.signal },
          );
          expect(result).toBe('success');
          expect(seen).toEqual(Array.from({ length: mutations.length + 1 }, () => before));
          for (const { target } of targets) breakers.succeeded(target.upstream);
        },
      ),
      { numRuns: 50 },
    );
  });
});
