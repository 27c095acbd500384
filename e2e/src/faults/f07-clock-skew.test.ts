import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { videoClients } from '../media/video-clients.ts';
import { KEY, type Stack } from '../stack.ts';
import { preloaded } from './stopping.ts';
import { endings, SOUND, decisionOn } from './decision.ts';

let stack: Stack;
afterEach(() => stack.close());

const SKEW_MS = 5_000;
const WORDS = ['', '[lost-reply]', '[500]', '[429]', '[expire-once]'];
const KINDS = ['provider-a', 'videos'];

function clockOff(ms: number): NodeJS.ProcessEnv {
  return preloaded('skewed-clock.ts', { SLUICE_E2E_CLOCK_MS: String(ms) });
}

describe('clocks that differ by up to ten seconds between the API and its workers', () => {
  it('change when things happen, but not what: each task ends as ever, once, and is submitted once', async () => {
    stack = await startMediaStack({ workers: 0, apiEnv: clockOff(SKEW_MS) });
    await Promise.all([stack.startWorker(clockOff(-SKEW_MS)), stack.startWorker(clockOff(SKEW_MS))]);
    const client = new Client(stack.origin, KEY);
    const [videos] = videoClients(client);
    const ids = await Promise.all(
      KINDS.flatMap((kind) =>
        WORDS.map(async (word) => (await videos?.create(`video-${kind}`, `a clock ${word} of ${kind}`))?.id ?? ''),
      ),
    );
    const findings = await new HistoryChecker(client).watch(ids, 90_000);
    expect(await decisionOn(ids, findings, stack.sandboxUrl)).toEqual(SOUND);
    expect(endings(ids, findings)).toEqual(ids.map(() => 'completed'));
  }, 120_000);
});
