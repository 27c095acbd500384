import { afterEach, describe, expect, it } from 'vitest';
import { expectGoogleError, testRefusals } from '../../../test/bad-input/refused-requests.ts';
import { useTextRig } from '../../../test/bad-input/text-rigs.ts';
import { expectRefusal } from '../../../test/refusal.ts';

const body = { contents: [{ parts: [{ text: 'hi' }] }] };

describe.each(['/v1beta', '/v1'])('POST %s/models/:model', (root) => {
  const context = useTextRig({}, [
    { id: 'tuned/my:model', routes: [{ upstream: 'generative-content', model: 'their:tuned/one' }] },
  ]);
  const post = (path: string) => context.rig.post(`${root}/models/${path}`, body);

  describe('refused', () => {
    afterEach(() => {
      expect(context.upstream.requests).toEqual([]);
    });

    describe('400', () => {
      it('the path has invalid percent encoding', async () => {
        const message = /not a valid URL path/;
        const refusal = { status: 400, code: 'invalid_request', param: null, message };
        await expectRefusal(await post('%zz:generateContent'), 'generative-content', refusal);
      });
    });

    testRefusals(expectGoogleError, {
      404: [
        ['the action is predict', () => post('by-gemini:predict'), 'not_found'],
        ['the action is asyncBatchEmbedContent', () => post('by-gemini:asyncBatchEmbedContent'), 'not_found'],
        ['the action is empty', () => post('by-gemini:'), 'not_found'],
        ['the action is in lower case', () => post('by-gemini:generatecontent'), 'not_found'],
        ['the action ends in a slash', () => post('by-gemini:generateContent/'), 'not_found'],
        ['the action ends in a colon', () => post('by-gemini:generateContent:'), 'not_found'],
        ['the action is __proto__', () => post('by-gemini:__proto__'), 'not_found'],
        ['the action is constructor', () => post('by-gemini:constructor'), 'not_found'],
        ['the action is missing', () => post('by-gemini'), 'not_found'],
        ['the model is missing', () => post(':generateContent'), 'not_found'],
        ['the model is missing after a second models/', () => post('models/:generateContent'), 'not_found'],
        ['model and action are missing', () => post(''), 'not_found'],
        ['the model contains ..', () => post('..%2f..%2fetc:generateContent'), 'model_not_found', 'model'],
        ['the model is *', () => post('*:generateContent'), 'model_not_found', 'model'],
        ['the model is .*', () => post('.*:generateContent'), 'model_not_found', 'model'],
        ['the model contains NUL', () => post('by-gemini%00:generateContent'), 'model_not_found', 'model'],
        ['the model is __proto__', () => post('__proto__:generateContent'), 'model_not_found', 'model'],
        ['the model is in another case', () => post('BY-GEMINI:generateContent'), 'model_not_found', 'model'],
      ],
    });

    describe('404', () => {
      it('the model contains a line break; the response has no additional header', async () => {
        const response = await post('by-gemini%0d%0ax-evil%3a1:generateContent');
        expect(response.headers.get('x-evil')).toBeNull();
        await expectGoogleError(response, { status: 404, code: 'model_not_found', param: 'model' });
      });

      it('the model is longer than any id', async () => {
        expect((await post(`${'a'.repeat(2_000)}:generateContent`)).status).toBe(404);
      });
    });
  });

  describe('200', () => {
    it.each([
      'tuned/my:model',
      'models/tuned/my:model',
      'tuned%2Fmy%3Amodel',
      'models%2Ftuned%2Fmy:model',
      'tuned%2fmy%3amodel',
    ])('the model id contains slashes and colons, encoded as %s', async (encoded) => {
      const response = await post(`${encoded}:generateContent`);
      expect(response.status, await response.text()).toBe(200);
      expect(context.upstream.requests[0]?.path).toMatch(/\/models\/their%3Atuned\/one:generateContent$/);
      expect((await context.rig.call(`${root}/models/${encoded}`)).status).toBe(200);
    });
  });
});
