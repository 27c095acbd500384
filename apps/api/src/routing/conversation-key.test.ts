import { describe, expect, it } from 'vitest';
import { conversationKey, type ConversationTraits } from './conversation-key.ts';

const PLAIN: ConversationTraits = { apiKey: 'alice', model: 'm', body: {}, headers: {} };

function key(traits: Partial<ConversationTraits>): string {
  return conversationKey({ ...PLAIN, ...traits });
}

describe('conversationKey', () => {
  it('is equal for two turns with the same first message', () => {
    expect(key({ firstMessage: 'hello' })).toBe(key({ firstMessage: 'hello' }));
  });

  it.each<[string, Partial<ConversationTraits>]>([
    ['API key', { apiKey: 'bob' }],
    ['model', { model: 'n' }],
    ['cache key', { body: { prompt_cache_key: 'k' } }],
    ['user', { body: { metadata: { user_id: 'u' } } }],
    ['Codex session', { headers: { 'session-id': 's' } }],
    ['Claude Code session', { headers: { 'x-claude-code-session-id': 's' } }],
    ['first message', { firstMessage: 'hello' }],
  ])('differs by %s', (_what, traits) => {
    expect(key(traits)).not.toBe(key({}));
  });

  it('uses the first available hint: cache key, user, session, first message', () => {
    const all = {
      body: { prompt_cache_key: 'k', metadata: { user_id: 'u' } },
      headers: { 'session-id': 's' },
      firstMessage: 'hello',
    };
    expect(key(all)).toBe(key({ body: { prompt_cache_key: 'k' } }));
    expect(key({ ...all, body: { metadata: { user_id: 'u' } } })).toBe(key({ body: { metadata: { user_id: 'u' } } }));
    expect(key({ ...all, body: {} })).toBe(key({ headers: { 'session-id': 's' } }));
  });

  it('ignores hints that are not text', () => {
    expect(key({ body: { prompt_cache_key: '', metadata: null }, headers: { 'session-id': ['a', 'b'] } })).toBe(
      key({}),
    );
    expect(key({ body: { prompt_cache_key: 7, metadata: { user_id: {} } } })).toBe(key({}));
  });

  it('distinguishes long messages by start and length, without reading them completely', () => {
    const long = 'x'.repeat(1_000_000);
    expect(key({ firstMessage: `${long}y` })).not.toBe(key({ firstMessage: long }));
    expect(key({ firstMessage: `y${long}` })).not.toBe(key({ firstMessage: `${long}y` }));
  });

  it('is short and does not reveal its input', () => {
    expect(key({ apiKey: 'alice', firstMessage: 'a secret' })).toMatch(/^[\w-]{43}$/);
  });
});
