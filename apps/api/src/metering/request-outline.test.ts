import {
  chatCompletionsProtocol,
  createTokenCodec,
  generativeContentProtocol,
  readTextRequest,
  type TextProtocol,
} from '@sluice/protocols';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';
import { outlineOf } from './request-outline.ts';

const tokenCodec = createTokenCodec('a secret of the test');
const BASE64 = 'iVBORw0KGgo'.padEnd(100_000, 'A');

function requestOf(body: object, protocol: TextProtocol = chatCompletionsProtocol) {
  return readTextRequest(protocol, Buffer.from(JSON.stringify(body)), { model: 'm', stream: false });
}

function chatWith(...parts: object[]): object {
  return { model: 'm', messages: [{ role: 'user', content: parts }] };
}

const text = (value: string) => ({ type: 'text', text: value });
const image = (url: string) => ({ type: 'image_url', image_url: { url } });

function decode(request: ReturnType<typeof requestOf>, body: Record<string, unknown>) {
  return request.protocol.decodeRequest({ body, model: 'm', stream: false, tokenCodec, report: () => undefined });
}

/** @returns the estimates from the outline and from the complete body */
function estimates(body: object): (number | undefined)[] {
  const request = requestOf(body);
  const outline = outlineOf(request);
  return [
    outline && estimateTokens(decode(request, outline.body), outline.complete),
    estimateTokens(decode(request, request.body())),
  ];
}

describe('outlineOf', () => {
  it('shortens images so that they can still be decoded', () => {
    for (const url of [
      `data:image/png;base64,${BASE64}`,
      `data:;base64,${BASE64}AA==`,
      `https://example.com/${BASE64}`,
    ]) {
      const body = chatWith(text('hi'), image(url));
      const request = requestOf(body);
      const outline = outlineOf(request);
      expect(JSON.stringify(outline?.body).length).toBeLessThan(1_000);
      const [estimate, exact] = estimates(body);
      expect(estimate).toBe(exact);
    }
  });

  it('restores texts, so that the estimate equals that of the complete body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (begin, end) => {
        const long = begin.toWellFormed() + 'a "word"\\\n你'.repeat(3_000) + end.toWellFormed();
        const body = chatWith(text(long), image(`data:image/png;base64,${BASE64}`), text('x'.repeat(5_000)));
        const request = requestOf(body);
        const outline = outlineOf(request);
        // The cast is safe because the outline has the shape of the body.
        const outlined = outline?.body as { messages: { content: { text: string }[] }[] };
        expect(outline?.complete(outlined.messages[0]?.content[0]?.text ?? '')).toBe(long);
        const [estimate, exact] = estimates(body);
        expect(estimate).toBe(exact);
      }),
    );
  });

  it('restores escaped texts in the schemas of tools', () => {
    const parameters = { type: 'object', description: 'a "word"\\\n'.repeat(4_000) };
    const tool = { type: 'function', function: { name: 'find', description: 'x'.repeat(5_000), parameters } };
    const [estimate, exact] = estimates({ ...chatWith(text('hi')), tools: [tool] });
    expect(estimate).toBeGreaterThan(parameters.description.length / 4);
    expect(estimate).toBe(exact);
  });

  it('does not exist for long strings that contain encoded text', () => {
    const data = Buffer.from('word '.repeat(2_000)).toString('base64');
    const file = { contents: [{ parts: [{ inlineData: { mimeType: 'text/plain', data } }] }] };
    expect(outlineOf(requestOf(file, generativeContentProtocol))).toBeUndefined();
    const token = tokenCodec.wrap({ protocol: 'responses', value: 'x'.repeat(5_000) });
    expect(outlineOf(requestOf(chatWith(text(token))))).toBeUndefined();
  });
});
