import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { KEY, type Stack } from '../stack.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { untilEnded, type VideoClient, videoClients } from '../media/video-clients.ts';
import { endingOf, FAULT_DIRECTIVES } from '../media/vendor-endings.ts';
import { VENDOR_KINDS } from '../media/vendor-kinds.ts';

/**
 * No vendor accepts a job with this directive. With other directives, e.g. moderation, some vendors accept the job and
 * reject it later.
 */
const NEVER_APPLIED = '[balance]';

let stack: Stack;
let client: VideoClient;
beforeAll(async () => {
  stack = await startMediaStack({ tasks: { submit_unknown_ms: 6_000 } });
  const [videos] = videoClients(new Client(stack.origin, KEY));
  if (!videos) throw new Error('There are four clients.');
  client = videos;
}, 60_000);
afterAll(() => stack.close());

describe.each(VENDOR_KINDS.map((kind) => [kind.kind, kind] as const))('at the upstream kind %s', (name, kind) => {
  it('each failure causes the expected outcome, and no job is submitted twice', async () => {
    const tasks = await Promise.all(
      FAULT_DIRECTIVES.map(async (directive) => {
        const { id, body } = await client.create(`video-${name}`, `a lantern ${directive} ${name}`);
        expect(id, `${directive}: ${JSON.stringify(body)}`).toMatch(/^video_/);
        return { directive, id };
      }),
    );
    const ended = await Promise.all(
      tasks.map(async ({ directive, id }) => {
        const { state, code } = await untilEnded(client, id, '', 60_000);
        return [directive, state === 'completed' ? state : code] as const;
      }),
    );
    const expected = FAULT_DIRECTIVES.map((directive) => [directive, endingOf(directive, kind)]);
    expect(Object.fromEntries(ended)).toEqual(Object.fromEntries(expected));

    const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
    for (const { directive, id } of tasks) {
      const applied = submissions.find(({ task }) => task === id)?.applied ?? 0;
      expect(applied, directive).toBeLessThanOrEqual(directive === NEVER_APPLIED ? 0 : 1);
    }
  }, 90_000);
});
