import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { videoClients } from '../media/video-clients.ts';
import { KEY, type Stack } from '../stack.ts';
import { preloaded } from './stopping.ts';
import { endings, NO_VIOLATIONS, violationsIn } from './violations.ts';

let stack: Stack;
afterEach(() => stack.close());

const SKEW_MS = 5_000;
const DIRECTIVES = ['', '[lost-reply]', '[500]', '[429]', '[expire-once]'];
const KINDS = ['provider-a', 'videos'];

function skewedBy(ms: number): NodeJS.ProcessEnv {
  return preloaded('skewed-clock.ts', { SLUICE_E2E_CLOCK_MS: String(ms) });
}

describe('clocks that differ by up to ten seconds between the API and its workers', () => {
  it('change no outcome: each task completes once and is submitted once', async () => {
    stack = await startMediaStack({ workers: 0, apiEnv: skewedBy(SKEW_MS) });
    await Promise.all([stack.startWorker(skewedBy(-SKEW_MS)), stack.startWorker(skewedBy(SKEW_MS))]);
    const client = new Client(stack.origin, KEY);
    const [videos] = videoClients(client);
    const ids = await Promise.all(
      KINDS.flatMap((kind) =>
        DIRECTIVES.map(
          async (directive) => (await videos?.create(`video-${kind}`, `a clock ${directive} of ${kind}`))?.id ?? '',
        ),
      ),
    );
    const findings = await new HistoryChecker(client).watch(ids, 90_000);
    expect(await violationsIn(ids, findings, stack.sandboxUrl)).toEqual(NO_VIOLATIONS);
    expect(endings(ids, findings)).toEqual(ids.map(() => 'completed'));
  }, 120_000);
});
