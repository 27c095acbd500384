import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { KEY, type Stack } from '../stack.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { untilEnded, type VideoClient, videoClients } from '../media/video-clients.ts';
import { endingOf, FAULT_WORDS } from '../media/vendor-endings.ts';
import { VENDOR_KINDS } from '../media/vendor-kinds.ts';

/** A refusal that is never an acceptance, at any vendor; what they audit, some audit only once they have accepted it. */
const NEVER_APPLIED = '[balance]';

let stack: Stack;
let client: VideoClient;
beforeAll(async () => {
  stack = await startMediaStack({ tasks: { submit_unknown_ms: 6_000 } });
  const [videos] = videoClients(new Client(stack.origin, KEY));
  if (!videos) throw new Error('there are four clients');
  client = videos;
}, 60_000);
afterAll(() => stack.close());

describe.each(VENDOR_KINDS.map((kind) => [kind.kind, kind] as const))('at the upstream kind %s', (name, kind) => {
  it('each of the vendor’s failures ends as the table says, and none is paid for twice', async () => {
    const tasks = await Promise.all(
      FAULT_WORDS.map(async (word) => {
        const { id, body } = await client.create(`video-${name}`, `a lantern ${word} ${name}`);
        expect(id, `${word}: ${JSON.stringify(body)}`).toMatch(/^video_/);
        return { word, id };
      }),
    );
    const ended = await Promise.all(
      tasks.map(async ({ word, id }) => {
        const { state, code } = await untilEnded(client, id, '', 60_000);
        return [word, state === 'completed' ? state : code] as const;
      }),
    );
    const expected = FAULT_WORDS.map((word) => [word, endingOf(word, kind)]);
    expect(Object.fromEntries(ended)).toEqual(Object.fromEntries(expected));

    const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
    for (const { word, id } of tasks) {
      const applied = submissions.find(({ task }) => task === id)?.applied ?? 0;
      expect(applied, word).toBeLessThanOrEqual(word === NEVER_APPLIED ? 0 : 1);
    }
  }, 90_000);
});
