import { describe, expect, it } from 'vitest';
import { conversationKey, type ConversationTraits } from './conversation-key.ts';

interface Traits extends Omit<ConversationTraits, 'member' | 'opening'> {
  body: Record<string, unknown>;
  opening: string[];
}

const PLAIN: Traits = { apiKey: 'alice', model: 'm', body: {}, headers: {}, opening: [] };

function key(traits: Partial<Traits>): string {
  const { body, opening, ...others } = { ...PLAIN, ...traits };
  return conversationKey({ ...others, member: (name) => body[name], opening: () => opening });
}

describe('conversationKey', () => {
  it('is equal for two turns with the same opening', () => {
    expect(key({ opening: ['Be brief.', 'hello'] })).toBe(key({ opening: ['Be brief.', 'hello'] }));
  });

  it.each<[string, Partial<Traits>]>([
    ['API key', { apiKey: 'bob' }],
    ['model', { model: 'n' }],
    ['cache key', { body: { prompt_cache_key: 'k' } }],
    ['user', { body: { metadata: { user_id: 'u' } } }],
    ['Codex session', { headers: { 'session-id': 's' } }],
    ['Claude Code session', { headers: { 'x-claude-code-session-id': 's' } }],
    ['system prompt', { opening: ['Be long.', 'hello'] }],
    ['first user message', { opening: ['Be brief.', 'bye'] }],
  ])('differs by %s', (_what, traits) => {
    const opening = ['Be brief.', 'hello'];
    expect(key({ opening, ...traits })).not.toBe(key({ opening }));
  });

  it('distinguishes conversations of one user', () => {
    const body = { metadata: { user_id: 'u' } };
    expect(key({ body, opening: ['hello'] })).not.toBe(key({ body, opening: ['bye'] }));
  });

  it.each([{ prompt_cache_key: 'k' }, { session_id: 's' }, { conversation: 'conv_1' }, { conversation: { id: 'c' } }])(
    'identifies a conversation by %j alone',
    (body) => {
      expect(key({ body, opening: ['hello'] })).toBe(key({ body, opening: ['bye'] }));
      expect(key({ body, opening: ['hello'] })).not.toBe(key({ opening: ['hello'] }));
    },
  );

  it('identifies a session by its header alone, so that a compaction does not change it', () => {
    const headers = { 'session-id': 's' };
    expect(key({ headers, opening: ['hello'], body: { prompt_cache_key: 'k' } })).toBe(key({ headers }));
  });

  it('ignores ids that are not text', () => {
    expect(key({ body: { prompt_cache_key: '', metadata: null }, headers: { 'session-id': ['a', 'b'] } })).toBe(
      key({}),
    );
    expect(key({ body: { prompt_cache_key: 7, metadata: { user_id: {} } } })).toBe(key({}));
  });

  it('distinguishes long messages by start and length, without reading them completely', () => {
    const long = 'x'.repeat(1_000_000);
    expect(key({ opening: [`${long}y`] })).not.toBe(key({ opening: [long] }));
    expect(key({ opening: [`y${long}`] })).not.toBe(key({ opening: [`${long}y`] }));
    expect(key({ opening: [long, 'hello'] })).not.toBe(key({ opening: [long, 'bye'] }));
  });

  it('is short and does not reveal its input', () => {
    expect(key({ apiKey: 'alice', opening: ['a secret'] })).toMatch(/^[\w-]{43}$/);
  });
});
