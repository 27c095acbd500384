import { createHash } from 'node:crypto';

export interface ConversationTraits {
  apiKey: string;
  model: string;
  body: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first message as text, equal in every turn of a conversation. */
  firstMessage?: string | undefined;
}

/** Sent with each turn, the first by Codex, the second by Claude Code. */
const SESSION_HEADERS = ['session-id', 'x-claude-code-session-id'];
/** Enough to distinguish messages; the rest may be megabytes of images. */
const MESSAGE_CHARACTERS = 16_384;

/**
 * Equal for requests of one API key, for one model, with the same hint: `prompt_cache_key`, else `metadata.user_id`,
 * else a session header, else the first message.
 */
export function conversationKey({ apiKey, model, body, headers, firstMessage }: ConversationTraits): string {
  return createHash('sha256')
    .update(JSON.stringify([apiKey, model, hint(body, headers, firstMessage)]))
    .digest('base64url');
}

function hint(
  body: ConversationTraits['body'],
  headers: ConversationTraits['headers'],
  firstMessage: string | undefined,
): readonly (string | number)[] {
  const cacheKey = body['prompt_cache_key'];
  if (isText(cacheKey)) return ['cache', cacheKey];
  const { metadata } = body;
  if (typeof metadata === 'object' && metadata !== null && 'user_id' in metadata && isText(metadata.user_id)) {
    return ['user', metadata.user_id];
  }
  const session = SESSION_HEADERS.map((name) => headers[name]).find(isText);
  if (session !== undefined) return ['session', session];
  return firstMessage === undefined ? [] : ['first', firstMessage.length, firstMessage.slice(0, MESSAGE_CHARACTERS)];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
