import { describe, expect, it } from 'vitest';
import { editClientEvent } from './client-event.ts';

function edited(text: string): string {
  return Buffer.from(editClientEvent(Buffer.from(text), 'theirs')).toString();
}

describe('editClientEvent', () => {
  it.each([
    ['GA', { type: 'session.update', session: { type: 'realtime', model: 'ours', instructions: 'be brief' } }],
    ['the beta', { event_id: 'e1', type: 'session.update', session: { modalities: ['text'], model: 'ours' } }],
    ['another order', { session: { model: 'another' }, type: 'session.update' }],
  ])('puts the upstream’s name into a session.update of %s, and changes nothing else', (_, event) => {
    const got: unknown = JSON.parse(edited(JSON.stringify(event)));
    expect(got).toEqual({ ...event, session: { ...event.session, model: 'theirs' } });
  });

  it('leaves the model out where the session was opened without one', () => {
    const event = { type: 'session.update', session: { type: 'transcription', model: 'ours' } };
    const got = editClientEvent(Buffer.from(JSON.stringify(event)), undefined);
    expect(JSON.parse(Buffer.from(got).toString())).toEqual({ ...event, session: { type: 'transcription' } });
  });

  it.each([
    ['the type', String.raw`{"type":"session\u002eupdate","session":{"model":"gpt-9"}}`],
    ['the field', String.raw`{"type":"session.update","session":{"mod\u0065l":"gpt-9"}}`],
    ['a long event', `{"session":{"instructions":"${'x'.repeat(3_000_000)}","model":"gpt-9"},"type":"session.update"}`],
    ['a type told twice', '{"type":"input_audio_buffer.append","session":{"model":"gpt-9"},"type":"session.update"}'],
  ])('lets no other model slip through in %s', (_, text) => {
    expect(edited(text)).not.toContain('gpt-9');
  });

  it.each([
    '{"type":"session.update", "session":{"voice":"alloy"}}',
    '{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"whisper-1"}}}}}',
    '{"type":"session.update","session":"model"}',
    '{"type":"response.create","response":{"model":"session.update"}}',
    '{"type":"conversation.item.create","item":{"content":"a \\u4f60 session.update \\"model\\""}}',
    'session.update "model" and no JSON',
    'null "model" session.update',
    '',
  ])('gives the very bytes back of %j', (text) => {
    const data = Buffer.from(text);
    expect(editClientEvent(data, 'theirs')).toBe(data);
  });
});
