import { hash } from 'node:crypto';

export interface ConversationTraits {
  apiKey: string;
  model: string;
  /** Returns a member of the body. */
  member: (name: string) => unknown;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Returns the system prompt and the first user message as text. They are the same in every turn. */
  opening: () => readonly string[];
}

/** Codex sends the first header with each turn, Claude Code the second. */
export const SESSION_HEADERS = ['session-id', 'x-claude-code-session-id'];
/** Enough to tell messages apart. The remaining text may be megabytes of images. */
const MESSAGE_CHARACTERS = 16_384;

/**
 * Returns the same key for all requests of a conversation with the same API key and model. The first of these
 * identifies it: a session header, `conversation`, `session_id`, `prompt_cache_key`, or else `metadata.user_id` with the
 * system prompt and the first user message, because applications may share each of these three between conversations.
 */
export function conversationKey({ apiKey, model, member, headers, opening }: ConversationTraits): string {
  const session =
    SESSION_HEADERS.map((name) => headers[name]).find(isText) ??
    idOf(member('conversation')) ??
    textOf(member('session_id')) ??
    textOf(member('prompt_cache_key'));
  const identity = session ?? [userIdOf(member('metadata')), opening().map(shortened)];
  return hash('sha256', JSON.stringify([apiKey, model, identity]), 'base64url');
}

function shortened(text: string): [length: number, start: string] {
  return [text.length, text.slice(0, MESSAGE_CHARACTERS)];
}

/** `conversation` is an id, or an object with an id. */
function idOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'id' in value ? textOf(value.id) : textOf(value);
}

function userIdOf(metadata: unknown): string | undefined {
  return typeof metadata === 'object' && metadata !== null && 'user_id' in metadata
    ? textOf(metadata.user_id)
    : undefined;
}

function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
