import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { KEY, type Stack } from '../stack.ts';
import { startMediaStack } from './media-stack.ts';
import { IMAGE_KINDS, type ImageKind, VENDOR_KINDS } from './vendor-kinds.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startMediaStack({ tasks: { submit_unknown_ms: 4_000 }, price: { image: 0.04 } });
}, 60_000);
afterAll(() => stack.close());

interface Images {
  id?: string;
  status?: string;
  data?: { url?: string; b64_json?: string }[];
  failed?: { index: number; code: string }[];
  error?: { code: string };
}

async function generate(fields: object, headers: Record<string, string> = {}) {
  const response = await new Client(stack.origin, KEY).fetch('/v1/images/generations', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  });
  const id = (response.headers.get('location') ?? '').split('/').at(-1) ?? '';
  const dropped = response.headers.get('x-sluice-dropped');
  // The cast is safe because the endpoint returns this format.
  return { status: response.status, id, dropped, body: (await response.json()) as Images };
}

function isImage(bytes: Buffer): boolean {
  return bytes.toString('latin1', 1, 4) === 'PNG';
}

const KINDS: readonly ImageKind[] = [
  ...VENDOR_KINDS.flatMap(({ image, ...kind }) =>
    image === undefined ? [] : [{ ...kind, image, lost: kind.lostImage }],
  ),
  ...IMAGE_KINDS,
];

describe.each(KINDS.map((kind) => [kind.kind, kind] as const))('images by the upstream kind %s', (name, kind) => {
  const model = `image-${name}`;

  it.each(['url', 'b64_json'] as const)('are returned as %s, independent of the vendor’s format', async (delivery) => {
    const { status, id, body } = await generate({
      model,
      prompt: `a poster by ${name} as ${delivery}`,
      response_format: delivery,
    });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.data).toHaveLength(1);
    const [image] = body.data ?? [];
    if (delivery === 'b64_json') {
      expect(isImage(Buffer.from(image?.b64_json ?? '', 'base64'))).toBe(true);
    } else {
      const file = await fetch(image?.url ?? '');
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(isImage(Buffer.from(await file.arrayBuffer()))).toBe(true);
    }
    const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
    expect(submissions.filter(({ task }) => task === id).map(({ applied }) => applied)).toEqual([1]);
  });

  it('have the requested number, or the number that the vendor generated', async () => {
    const { many } = kind;
    const complete = await generate({ model, prompt: `posters by ${name}`, n: 2 });
    expect([complete.status, complete.body.data?.length, complete.body.failed]).toEqual([200, many ? 2 : 1, undefined]);
    // If the vendor generates only one image per request, the gateway reports that it dropped `n`.
    expect(complete.dropped).toBe(many ? null : 'n');
    if (!many) return;
    const partial = await generate({ model, prompt: `posters by ${name} [partial]`, n: 2 });
    expect([partial.status, partial.body.data?.length]).toEqual([200, 1]);
  });

  it('fail immediately with the error code of the vendor’s failure', async () => {
    const endings = await Promise.all(
      ['[moderation]', '[refused]', '[balance]', '[429]', '[lost-reply]'].map(async (directive) => {
        const { status, body } = await generate({ model, prompt: `a poster by ${name} ${directive}` });
        return [directive, status, body.error?.code];
      }),
    );
    expect(endings).toEqual([
      ['[moderation]', 400, 'content_policy'],
      ['[refused]', 400, 'invalid_request'],
      ['[balance]', 502, 'provider_quota'],
      ['[429]', 200, undefined],
      kind.lost === 'found' ? ['[lost-reply]', 200, undefined] : ['[lost-reply]', 502, 'submission_unknown'],
    ]);
  });
});

const openai = () => new OpenAI({ baseURL: stack.baseUrl, apiKey: KEY });

describe('the published OpenAI SDK', () => {
  it('generates images at a vendor with another protocol', async () => {
    const generated = await openai().images.generate({
      model: 'image-dashscope',
      prompt: 'a poster',
      size: '1024x1024',
      response_format: 'b64_json',
    });
    expect(generated).toMatchObject({ cost_usd: 0.04 });
    expect(isImage(Buffer.from(generated.data?.[0]?.b64_json ?? '', 'base64'))).toBe(true);
  });

  it('edits an image', async () => {
    const generated = await openai().images.generate({
      model: 'image-chat-completions',
      prompt: 'a',
      response_format: 'b64_json',
    });
    const imageInput = Buffer.from(generated.data?.[0]?.b64_json ?? '', 'base64');
    const edited = await openai().images.edit({
      model: 'edit-chat-completions',
      prompt: 'make it night',
      image: await toFile(imageInput, 'a.png', { type: 'image/png' }),
      response_format: 'b64_json',
    });
    expect(edited).toMatchObject({ cost_usd: 0.04 });
    expect(isImage(Buffer.from(edited.data?.[0]?.b64_json ?? '', 'base64'))).toBe(true);
  });

  it('receives a rejection once and does not retry', async () => {
    const rejected = openai().images.generate({ model: 'image-provider-a', prompt: 'a [balance]' });
    await expect(rejected).rejects.toMatchObject({ status: 502, code: 'provider_quota' });
    const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
    expect(submissions.filter(({ prompt }) => prompt === 'a [balance]')).toHaveLength(1);
  });
});
