import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@sluice/telemetry';
import { type LoopbackTrap, startLoopbackTrap, TRAP_SECRET } from '@sluice/testkit';
import { buildUpstreams, type Upstreams } from '@sluice/upstreams';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
// These addresses are shared with the URL guard's tests.
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS } from '../../../../packages/upstreams/test/forbidden-addresses.ts';
import { KEYS } from '../../test/api-rig.ts';
import { expectSafeResponse, readResponse } from '../../test/security/safe-response.ts';
import { VIDEO_MODEL, IMAGE_MODEL, TASK_IMAGES, type ImageInputParams } from '../../test/security/task-image-inputs.ts';
import { textRig, type TextRig } from '../../test/text-rig.ts';

let trap: LoopbackTrap;
/** A server at an allowed origin. It redirects to the URL in its path. */
let redirector: Server;
let redirectorOrigin: string;
let upstreams: Upstreams;
let rig: TextRig;
const lines: string[] = [];
beforeAll(async () => {
  trap = await startLoopbackTrap();
  redirector = createServer((request, response) => {
    response.writeHead(302, { location: decodeURIComponent(request.url?.slice(1) ?? '') }).end();
  });
  await new Promise<void>((resolve) => redirector.listen(0, '127.0.0.1', resolve));
  // The cast is safe because the server listens on TCP.
  redirectorOrigin = `http://127.0.0.1:${(redirector.address() as AddressInfo).port}`;
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
    allow: [redirectorOrigin],
    logger,
  });
  rig = await textRig({
    // This kind accepts images in every role. The test scripts its responses.
    upstreams: { vendor: { kind: 'fal', base_url: 'http://vendor.test', api_key: 'sk-vendor' } },
    models: [
      { id: VIDEO_MODEL, routes: [{ upstream: 'vendor', model: 'fal-ai/kling-video/v1/pro' }] },
      { id: IMAGE_MODEL, routes: [{ upstream: 'vendor', model: 'fal-ai/flux/dev' }] },
    ],
    // The API accepts these URLs although the worker must reject them, as with host names that resolve to private
    // addresses.
    download: { allow: [redirectorOrigin, ...insideOrigins] },
    timeouts: { image_wait_ms: 20_000 },
  });
  await rig.tasks.startWorker({ fetchInput: upstreams.fetchInput, logger });
});
afterAll(async () => {
  await rig.close();
  await upstreams.close();
  redirector.close();
  trap.close();
});
afterEach(() => {
  expect(trap.connections()).toBe(0);
  expect(rig.tasks.vendor.submissions.size).toBe(0);
});

/** Sends a request. Returns its response and, if a task was created, the finished task. */
async function runToEnd({ path, body, headers = {} }: ImageInputParams) {
  const init = { method: 'POST', headers: { authorization: `Bearer ${KEYS.alice}`, ...headers }, body };
  const reply = await readResponse(await rig.call(path, init));
  const id = /"(?:task_id|id)":"(video_[^"]+)"/.exec(reply.body)?.[1];
  const task = id === undefined ? undefined : await rig.tasks.engine.find('alice', id);
  return { response: reply, ended: task && (await rig.tasks.end(task)) };
}

/** Every image field. The forbidden hosts are distributed among them. */
const FIELDS = Object.entries(TASK_IMAGES);

/** Checks the error of a task or image request whose image must not be fetched. */
async function expectRejected(what: string, params: ImageInputParams, message: string): Promise<void> {
  const { response: reply, ended } = await runToEnd(params);
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

describe.each(FIELDS)('an image in %s', (_name, params) => {
  const at = FIELDS.findIndex(([name]) => name === _name);
  // Each field is tested with some of the hosts, and every field with loopback.
  const hosts = ['127.0.0.1', ...FORBIDDEN_HOSTS.filter((_, index) => index % FIELDS.length === at)];

  it(`is not fetched from ${hosts.join(', ')}`, async () => {
    for (const host of hosts) {
      const url = `http://${host}:${trap.port}/a.png`;
      await expectRejected(
        host,
        params(url),
        'The image could not be fetched: The URL does not resolve to a public address.',
      );
    }
  });

  it('is not fetched when an allowed origin redirects to a forbidden URL', async () => {
    const to = encodeURIComponent(`http://127.0.0.1:${trap.port}/a.png`);
    const message = 'The image could not be fetched: The URL does not resolve to a public address.';
    await expectRejected('a redirect', params(`${redirectorOrigin}/${to}`), message);
    const file = encodeURIComponent('file:///etc/passwd');
    const noUrl = 'The image could not be fetched: The URL is not a plain HTTP or HTTPS URL.';
    await expectRejected('a redirect to a file', params(`${redirectorOrigin}/${file}`), noUrl);
  });

  it('is rejected immediately if its URL is not a plain HTTP URL', async () => {
    const tasks = (await rig.taskIds()).length;
    for (const url of FORBIDDEN_URLS.filter((one) => one !== '' && !one.startsWith('data:image/'))) {
      const { response: reply } = await runToEnd(params(url));
      expectSafeResponse(url, { ...reply, status: Math.min(reply.status, 399) });
      expect([url, reply.status]).toEqual([url, 400]);
    }
    expect((await rig.taskIds()).length).toBe(tasks);
  });
});

it('logs no image URL', () => {
  const logged = lines.join('') + rig.logs();
  expect(logged).not.toContain(`:${trap.port}`);
  expect(logged).not.toContain('/a.png');
});
