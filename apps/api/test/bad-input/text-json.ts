import { describe, expect, it } from 'vitest';
import type { TextRoute } from '../text-routes.ts';
import { type TextContext, useTextRig } from './text-rigs.ts';

/**
 * Registers tests of valid JSON with extreme contents. A text endpoint may reject it but must not fail with an internal
 * error.
 */
export function testExtremeJson(route: TextRoute): void {
  const { at, body, native, foreign } = route;
  const models = [native, foreign];
  const withMember = (model: string, member: string) => `${JSON.stringify(body(model)).slice(0, -1)},${member}}`;

  describe('below 500', () => {
    const context = useTextRig();
    const send = (model: string, text: string) => statusOf(context, at(model), text);

    it.each(models)('keys are named like a prototype (%s)', async (model) => {
      const polluting = '{"polluted":true,"status":"polluted"}';
      for (const member of [
        `"__proto__":${polluting}`,
        `"constructor":{"prototype":${polluting}}`,
        `"metadata":{"__proto__":${polluting}}`,
      ]) {
        expect(await send(model, withMember(model, member))).toBeLessThan(500);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(Object.prototype).not.toHaveProperty('status');
      // The model is missing, because only the prototype has this field.
      const inherited = '{"__proto__":{"model":"by-chat","messages":[],"input":"x","contents":[]}}';
      const bare = await context.rig.post(at(''), inherited);
      expect(bare.status).toBeGreaterThanOrEqual(400);
      expect(bare.status).toBeLessThan(500);
    });

    it.each(models)('fields are nested 10,000 levels deep (%s)', async (model) => {
      const deep = '['.repeat(10_000) + ']'.repeat(10_000);
      const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
      for (const [field, value] of [
        ['unheard_of', deep],
        ['metadata', objects],
        ['tools', deep],
        ['messages', deep],
        ['input', deep],
        ['contents', deep],
        ['response_format', objects],
        ['generationConfig', objects],
      ] as const) {
        expect(await send(model, withMember(model, `"${field}":${value}`)), field).toBeLessThan(500);
      }
      // Placed in the conversation, which decoders traverse recursively.
      const text = JSON.stringify(body(model)).replace('"hi"', deep);
      expect(await send(model, text)).toBeLessThan(500);
      expect((await context.rig.call('/health/live')).status).toBe(200);
    });

    it.each(models)('numbers exceed all bounds (%s)', async (model) => {
      for (const field of [
        'temperature',
        'max_tokens',
        'max_output_tokens',
        'seed',
        'top_k',
        'n',
        'top_p',
        'unheard_of',
      ]) {
        for (const value of ['1e999', '-1e999', '9007199254740993', '1e-400', '-0', '123456789012345678901234567890']) {
          expect(await send(model, withMember(model, `"${field}":${value}`)), `${field}: ${value}`).toBeLessThan(500);
        }
      }
    });

    it.each(models)('the body is invalid UTF-8 (%s)', async (model) => {
      const [before = '', after = ''] = JSON.stringify(body(model)).split('"hi"');
      const bytes = Buffer.concat([
        Buffer.from(`${before}"`),
        Buffer.of(0xff, 0xc3, 0xed, 0xa0, 0x80),
        Buffer.from(`"${after}`),
      ]);
      const { status } = await fetch(context.rig.origin + at(model), {
        method: 'POST',
        body: bytes,
        headers: { authorization: 'Bearer sk-alice-key', 'content-type': 'application/json', 'messages-version': '1' },
      });
      expect(status).toBeLessThan(500);
    });
  });

  describe('200', () => {
    const context = useTextRig();

    it.each(models)('text has lone surrogates, NUL, and control characters (%s)', async (model) => {
      const odd = String.raw`a\ud800b\u0000c\udfffd\u0007\u2028`;
      expect(await statusOf(context, at(model), JSON.stringify(body(model)).replace('hi', odd))).toBe(200);
      expect(context.upstream.requests.length).toBeLessThanOrEqual(1);
      for (const { raw } of context.upstream.requests) expect(() => JSON.parse(raw) as unknown).not.toThrow();
    });
  });
}

async function statusOf({ rig }: TextContext, path: string, body: string): Promise<number> {
  const reply = await rig.post(path, body);
  expect(await reply.text()).not.toMatch(/internal_error|INTERNAL|api_error|server_error/);
  return reply.status;
}
