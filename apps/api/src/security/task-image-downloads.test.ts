import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@sluice/telemetry';
import { type LoopbackTrap, startLoopbackTrap, TRAP_SECRET } from '@sluice/testkit';
import { buildUpstreams, type Upstreams } from '@sluice/upstreams';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
// The table is that of the guard's own tests; tests alone reach over.
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS } from '../../../../packages/upstreams/test/forbidden-addresses.ts';
import { KEYS } from '../../test/api-rig.ts';
import { expectSafeResponse, readResponse } from '../../test/security/safe-response.ts';
import { VIDEO_MODEL, IMAGE_MODEL, TASK_IMAGES, type ImageInputParams } from '../../test/security/task-image-inputs.ts';
import { textRig, type TextRig } from '../../test/text-rig.ts';

let trap: LoopbackTrap;
/** May be fetched, and sends whoever comes where its path says. */
let outside: Server;
let outsideOrigin: string;
let upstreams: Upstreams;
let rig: TextRig;
const lines: string[] = [];
beforeAll(async () => {
  trap = await startLoopbackTrap();
  outside = createServer((request, response) => {
    response.writeHead(302, { location: decodeURIComponent(request.url?.slice(1) ?? '') }).end();
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  outsideOrigin = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`; // it listens on TCP
  const insideOrigins = FORBIDDEN_HOSTS.map((host) => new URL(`http://${host}:${trap.port}/`).origin);
  const logger = createLogger({
    level: 'trace',
    name: 'worker',
    destination: { write: (line: string) => void lines.push(line) },
  });
  upstreams = buildUpstreams({
    upstreams: {},
    timeouts: { submitMs: 2_000, pollMs: 2_000, downloadIdleMs: 5_000 },
    limits: { downloadBytes: 10_000, inputBytes: 10_000 },
    allow: [outsideOrigin],
    logger,
  });
  rig = await textRig({
    // A kind that takes pictures in every role; what it is asked is scripted.
    upstreams: { vendor: { kind: 'fal', base_url: 'http://vendor.test', api_key: 'sk-vendor' } },
    models: [
      { id: VIDEO_MODEL, routes: [{ upstream: 'vendor', model: 'fal-ai/kling-video/v1/pro' }] },
      { id: IMAGE_MODEL, routes: [{ upstream: 'vendor', model: 'fal-ai/flux/dev' }] },
    ],
    // The API lets in what the worker may not fetch, as it does with names that lead inside.
    download: { allow: [outsideOrigin, ...insideOrigins] },
    timeouts: { image_wait_ms: 20_000 },
  });
  await rig.tasks.startWorker({ fetchInput: upstreams.fetchInput, logger });
});
afterAll(async () => {
  await rig.close();
  await upstreams.close();
  outside.close();
  trap.close();
});
afterEach(() => {
  expect(trap.connections()).toBe(0);
  expect(rig.tasks.vendor.submissions.size).toBe(0);
});

/** Sends a wish; tells what was answered at once, and how the task has ended where one was created. */
async function fateOf({ path, body, headers = {} }: ImageInputParams) {
  const init = { method: 'POST', headers: { authorization: `Bearer ${KEYS.alice}`, ...headers }, body };
  const reply = await readResponse(await rig.call(path, init));
  const id = /"(?:task_id|id)":"(video_[^"]+)"/.exec(reply.body)?.[1];
  const task = id === undefined ? undefined : await rig.tasks.engine.find('alice', id);
  return { response: reply, ended: task && (await rig.tasks.end(task)) };
}

/** All the ways into one kind of place, one after the other: hosts are spread over them. */
const WAYS = Object.entries(TASK_IMAGES);

/** What a task, or the answer to who waits for images, says of a picture that was not fetched. */
async function expectRefused(what: string, params: ImageInputParams, message: string): Promise<void> {
  const { response: reply, ended } = await fateOf(params);
  expectSafeResponse(what, { ...reply, status: Math.min(reply.status, 399) });
  expect(reply.body, what).not.toContain(TRAP_SECRET);
  if (ended) {
    expect([what, reply.status]).toEqual([what, 200]);
    expect(ended, what).toMatchObject({ status: 'failed', error: { code: 'invalid_request', message } });
  } else {
    expect([what, reply.status]).toEqual([what, 400]);
    expect(reply.body, what).toContain(message);
  }
}

describe.each(WAYS)('%s', (_name, params) => {
  const at = WAYS.findIndex(([name]) => name === _name);
  // Each way meets its share of the table, and all of them the plainest.
  const hosts = ['127.0.0.1', ...FORBIDDEN_HOSTS.filter((_, index) => index % WAYS.length === at)];

  it(`is never fetched from ${hosts.join(', ')}`, async () => {
    for (const host of hosts) {
      const url = `http://${host}:${trap.port}/a.png`;
      await expectRefused(
        host,
        params(url),
        'The image could not be fetched: The URL does not resolve to a public address.',
      );
    }
  });

  it('is not fetched where an origin that may be asked sends to', async () => {
    const to = encodeURIComponent(`http://127.0.0.1:${trap.port}/a.png`);
    const message = 'The image could not be fetched: The URL does not resolve to a public address.';
    await expectRefused('a redirect', params(`${outsideOrigin}/${to}`), message);
    const file = encodeURIComponent('file:///etc/passwd');
    const noUrl = 'The image could not be fetched: The URL is not a plain HTTP or HTTPS URL.';
    await expectRefused('a redirect to a file', params(`${outsideOrigin}/${file}`), noUrl);
  });

  it('is refused at once by any URL that is no plain one', async () => {
    const tasks = (await rig.taskIds()).length;
    for (const url of FORBIDDEN_URLS.filter((one) => one !== '' && !one.startsWith('data:image/'))) {
      const { response: reply } = await fateOf(params(url));
      expectSafeResponse(url, { ...reply, status: Math.min(reply.status, 399) });
      expect([url, reply.status]).toEqual([url, 400]);
    }
    expect((await rig.taskIds()).length).toBe(tasks);
  });
});

it('no log line tells where a picture was to be fetched', () => {
  const told = lines.join('') + rig.logs();
  expect(told).not.toContain(`:${trap.port}`);
  expect(told).not.toContain('/a.png');
});
