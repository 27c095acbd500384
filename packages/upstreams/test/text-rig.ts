import type { ResponseSink, UpstreamTextResponse, TextCall, TextCapability } from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { buildUpstreams } from '../src/build-upstreams.ts';
import type { UpstreamAccount } from '../src/contract/upstream.ts';

export interface TextRig {
  text: TextCapability;
  [Symbol.asyncDispose](): Promise<void>;
}

export const TEXT_KEY = 'sk-test-0123456789';

/** Creates an account. Timeouts are in milliseconds. */
export function textRig(account: UpstreamAccount, firstMs = 10_000, idleMs = 10_000): TextRig {
  const upstreams = buildUpstreams({
    upstreams: { vendor: account },
    timeouts: { submitMs: 1, pollMs: 1, downloadIdleMs: 1, textFirstMs: firstMs, textIdleMs: idleMs },
    limits: { downloadBytes: 1, inputBytes: 1 },
    allow: [],
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
  const text = upstreams.accounts.get('vendor')?.text;
  if (text === undefined) throw new Error('the account serves no text');
  return { text, [Symbol.asyncDispose]: () => upstreams.close() };
}

export function textCall(more: Partial<TextCall> = {}): TextCall {
  return {
    operation: 'generate',
    model: 'model-a',
    stream: true,
    body: '{"say":"grüß dich"}',
    signal: new AbortController().signal,
    ...more,
  };
}

export interface Reading extends ResponseSink {
  text: () => string;
  bytes: () => number;
  /** How the body ended: undefined while it is open, then `end` or the error. */
  ended: () => unknown;
}

/** Reads a body. After each chunk, `wantsMore` decides whether to continue. */
export function reading(wantsMore: () => boolean = () => true): Reading {
  const chunks: Uint8Array[] = [];
  let ended: unknown;
  return {
    text: () => Buffer.concat(chunks).toString(),
    bytes: () => chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
    ended: () => ended,
    data: (chunk) => {
      chunks.push(chunk);
      return wantsMore();
    },
    end: () => void (ended = ended === undefined ? 'end' : 'ended twice'),
    fail: (error) => void (ended = ended === undefined ? error : 'ended twice'),
  };
}

export async function textOf(response: UpstreamTextResponse): Promise<string> {
  return Buffer.from(await response.body.collect(1_000_000)).toString();
}
