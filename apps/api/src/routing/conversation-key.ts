import { createHash } from 'node:crypto';

export interface ConversationTraits {
  apiKey: string;
  model: string;
  body: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The system prompt and the first user message as text. They are the same in every turn of a conversation. */
  opening: readonly string[];
}

/** Codex sends the first header with each turn, Claude Code the second. */
const SESSION_HEADERS = ['session-id', 'x-claude-code-session-id'];
/** Enough to tell messages apart. The remaining text may be megabytes of images. */
const MESSAGE_CHARACTERS = 16_384;

/**
 * Returns the same key for all requests of a conversation: same API key, model, and session header. Without a session
 * header, `prompt_cache_key`, `metadata.user_id`, the system prompt, and the first user message must all be the same,
 * because applications may share each of them between conversations.
 */
export function conversationKey({ apiKey, model, body, headers, opening }: ConversationTraits): string {
  const session = SESSION_HEADERS.map((name) => headers[name]).find(isText);
  const ids = [textOf(body['prompt_cache_key']), userIdOf(body['metadata'])];
  const begins = opening.map((text) => [text.length, text.slice(0, MESSAGE_CHARACTERS)]);
  const identity = session === undefined ? [ids, begins] : session;
  return createHash('sha256')
    .update(JSON.stringify([apiKey, model, identity]))
    .digest('base64url');
}

function userIdOf(metadata: unknown): string | null {
  return typeof metadata === 'object' && metadata !== null && 'user_id' in metadata ? textOf(metadata.user_id) : null;
}

function textOf(value: unknown): string | null {
  return isText(value) ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
