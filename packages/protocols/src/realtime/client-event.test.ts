import { describe, expect, it } from 'vitest';
import { editClientEvent } from './client-event.ts';
import { RefusedEvent } from './refused-event.ts';

function edited(text: string, isText = true): string {
  return Buffer.from(editClientEvent(Buffer.from(text), 'upstream-model', isText)).toString();
}

function bound(event: object): string {
  const data = Buffer.from(JSON.stringify(event));
  return Buffer.from(
    editClientEvent(data, 'upstream-model', true, { requestedName: 'client-model', upstreamName: 'upstream-model' }),
  ).toString();
}

const ga = (model: unknown) => ({ audio: { input: { transcription: { model } } } });
const beta = (model: unknown) => ({ input_audio_transcription: { model } });

describe('editClientEvent', () => {
  it.each([
    ['GA', { type: 'session.update', session: { type: 'realtime', model: 'client-model', instructions: 'be brief' } }],
    ['the beta', { event_id: 'e1', type: 'session.update', session: { modalities: ['text'], model: 'client-model' } }],
    ['another order', { session: { model: 'another' }, type: 'session.update' }],
  ])("puts the upstream's name into a session.update of %s and changes nothing else", (_, event) => {
    const actual: unknown = JSON.parse(edited(JSON.stringify(event)));
    expect(actual).toEqual({ ...event, session: { ...event.session, model: 'upstream-model' } });
  });

  it('removes the model if the session was opened without one', () => {
    const event = { type: 'session.update', session: { type: 'transcription', model: 'client-model' } };
    const actual = editClientEvent(Buffer.from(JSON.stringify(event)), undefined, true);
    expect(JSON.parse(Buffer.from(actual).toString())).toEqual({ ...event, session: { type: 'transcription' } });
  });

  it.each([
    ['the type', String.raw`{"type":"session\u002eupdate","session":{"model":"gpt-9"}}`],
    ['the field', String.raw`{"type":"session.update","session":{"mod\u0065l":"gpt-9"}}`],
    ['a long event', `{"session":{"instructions":"${'x'.repeat(3_000_000)}","model":"gpt-9"},"type":"session.update"}`],
    ['a repeated type', '{"type":"input_audio_buffer.append","session":{"model":"gpt-9"},"type":"session.update"}'],
  ])('rejects other models in %s', (_, text) => {
    expect(edited(text)).not.toContain('gpt-9');
  });

  it.each([
    ['a response', '{"type":"response.create","response":{"model":"gpt-9","input":[]}}'],
    ['two sessions', '{"type":"session.update","session":{"model":"gpt-9"},"session":{}}'],
    ['two models', '{"type":"session.update","session":{"model":"gpt-9","model":"client-model"}}'],
    ['the top level', '{"type":"session.update","model":"gpt-9"}'],
    ['an event after a byte order mark', '\uFEFF{"type":"session.update","session":{"model":"gpt-9"}}'],
    ['an event after whitespace', ' \r\n\t{"type":"session.update","session":{"model":"gpt-9"}}'],
    ['an event with another name', '{"type":"session.updates","session":{"model":"gpt-9"}}'],
  ])('rejects other models in %s, as text or bytes', (_, text) => {
    for (const isText of [true, false]) expect(edited(text, isText)).not.toContain('gpt-9');
  });

  it('accepts models in transcription settings, tools, and items', () => {
    const event = {
      type: 'session.update',
      session: {
        audio: { input: { transcription: { model: 'whisper-1' } } },
        tools: [{ type: 'function', parameters: { properties: { model: { type: 'string' } } } }],
      },
      item: { model: 'x' },
    };
    expect(JSON.parse(edited(JSON.stringify(event)))).toEqual(event);
  });

  describe('with only one allowed model', () => {
    it.each([
      ['session.audio.input.transcription.model', { type: 'session.update', session: ga('whisper-9') }],
      ['session.input_audio_transcription.model', { type: 'session.update', session: beta('whisper-9') }],
      ['session.input_audio_transcription.model', { type: 'transcription_session.update', session: beta('') }],
      ['input_audio_transcription.model', { type: 'transcription_session.update', ...beta('whisper-9') }],
      ['audio.input.transcription.model', { type: 'session.update', ...ga({ id: 'whisper-9' }) }],
      ['response.audio.input.transcription.model', { type: 'response.create', response: ga('whisper-9') }],
      ['session.audio.inputs[0].model', { type: 'session.update', session: { audio: { inputs: [{ model: 'x' }] } } }],
    ])("rejects another model in %s with the client's event id", (param, event) => {
      let refused: unknown;
      try {
        bound({ event_id: 'mine', ...event });
      } catch (error) {
        refused = error;
      }
      expect(refused).toBeInstanceOf(RefusedEvent);
      expect(refused).toMatchObject({ eventId: 'mine', error: { code: 'unsupported_parameter', param } });
    });

    it.each([
      ['MODEL', { MODEL: 'dear' }],
      ['session.Model', { session: { Model: 'dear' } }],
      ['session.audio.input.transcription.MODEL', { session: { audio: { input: { transcription: { MODEL: 'd' } } } } }],
      ['response.model\0', { response: { 'model\0': 'dear' } }],
    ])('rejects %j, which an upstream may read as the model', (param, event) => {
      expect(() => bound(event)).toThrow(
        expect.objectContaining({ error: expect.objectContaining({ code: 'unsupported_parameter', param }) }),
      );
    });

    it("forwards that model under the upstream's name, and events without a model", () => {
      for (const format of [ga, beta]) {
        for (const name of ['client-model', 'upstream-model']) {
          expect(JSON.parse(bound({ session: format(name) }))).toEqual({ session: format('upstream-model') });
        }
        expect(JSON.parse(bound({ session: { ...format(null), model: 'x' } }))).toEqual({
          session: { ...format(null), model: 'upstream-model' },
        });
      }
      const tools = [{ type: 'function', parameters: { properties: { model: { type: 'string' } } } }];
      const event = { type: 'session.update', session: { tools }, item: { model: 'x' } };
      expect(JSON.parse(bound(event))).toEqual(event);
    });
  });

  it.each([
    'session.update "model" and no JSON',
    '{"type":"session.update","session":{"model":"gpt-9"}',
    '// {"session":{}}\n{"session":{"model":"gpt-9"}}',
  ])('rejects %j, which upstreams may read differently', (text) => {
    expect(() => edited(text)).toThrow(SyntaxError);
  });

  it.each([
    '{"type":"session.update", "session":{"voice":"alloy"}}',
    '{"type":"conversation.item.create","item":{"content":"a \\u4f60 session.update"}}',
    '[{"type":"session.update","session":{"model":"gpt-9"}}]',
    'no JSON',
    'null',
    '',
  ])('returns %j unchanged', (text) => {
    const data = Buffer.from(text);
    expect(editClientEvent(data, 'upstream-model', true)).toBe(data);
  });

  it('returns bytes that are not an event unchanged', () => {
    const data = Buffer.from('\x01\x02"model" \\u0041');
    expect(editClientEvent(data, 'upstream-model', false)).toBe(data);
  });
});
