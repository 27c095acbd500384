import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// These addresses are shared with the URL guard's tests.
import { FORBIDDEN_HOSTS } from '../../../../packages/upstreams/test/forbidden-addresses.ts';
import { KEYS } from '../../test/api-rig.ts';
import { readResponse } from '../../test/security/safe-response.ts';
import { VIDEO_MODEL, IMAGE_MODEL, type ImageInputParams, TASK_IMAGES } from '../../test/security/task-image-inputs.ts';
import { textRig, type TextRig } from '../../test/text-rig.ts';

let rig: TextRig;
beforeAll(async () => {
  rig = await textRig({
    upstreams: { vendor: { kind: 'fal', base_url: 'http://vendor.test', api_key: 'sk-vendor' } },
    models: [
      { id: VIDEO_MODEL, routes: [{ upstream: 'vendor', model: 'fal-ai/kling-video/v1/pro' }] },
      { id: IMAGE_MODEL, routes: [{ upstream: 'vendor', model: 'fal-ai/flux/dev' }] },
    ],
    download: { allow: ['http://10.0.0.7:8000'] },
    webhooks: { allow: ['http://10.0.0.8:8000'] },
  });
});
afterAll(() => rig.close());

async function send({ path, body, headers = {} }: ImageInputParams) {
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, prefer: 'respond-async', ...headers },
    body,
  };
  return readResponse(await rig.call(path, init));
}

describe.each(Object.entries(TASK_IMAGES))('an image in %s', (name, params) => {
  const at = Object.keys(TASK_IMAGES).indexOf(name);
  // Each field is tested with some of the hosts, and every field with loopback.
  const hosts = ['127.0.0.1', ...FORBIDDEN_HOSTS.filter((_, index) => index % 5 === at % 5)];

  it('is rejected without a task if its address is not public', async () => {
    const tasks = (await rig.taskIds()).length;
    for (const url of [...hosts.map((host) => `http://${host}:81/a.png`), 'http://10.0.0.8:8000/a.png']) {
      const { status, body } = await send(params(url));
      expect([url, status]).toEqual([url, 400]);
      expect(body, url).toMatch(
        /`\w+(?:\[\d\])?` must be a public address, unless the operator allows its origin in `download\.allow`\./,
      );
      expect(body, url).toMatch(
        /"param":"(?:input_reference|image|images|images\[1\]|image_tail|image_urls(?:\[1\])?|mask)"/,
      );
    }
    expect((await rig.taskIds()).length).toBe(tasks);
  });

  it('is accepted if its origin is allowed or its host is a name', async () => {
    for (const url of ['http://10.0.0.7:8000/a.png', 'https://images.test/a.png']) {
      const { status, body } = await send(params(url));
      expect([200, 202], `${status} ${body}`).toContain(status);
      expect(body).toMatch(/"(?:video|image)_\w+"/);
    }
  });
});
