import { isRecord } from '@sluice/protocols';

/** Limit for user messages kept with the summary, so that the result is shorter than a long conversation. */
const MAX_MESSAGE_TOKENS = 20_000;
const CHARACTERS_PER_TOKEN = 4;
/** Estimated tokens of an image or a file, close to the vendors' own counts. */
const MEDIUM_TOKENS = 1_000;

export interface CompactedOutputInput {
  items: readonly unknown[];
  encryptedContent: string;
  newId: (prefix: string) => string;
}

/**
 * Returns the newest user messages, in their original order, followed by the compaction. If the oldest of these
 * messages exceeds the limit, it is truncated and loses its images and files.
 */
export function compactedOutput({ items, encryptedContent, newId }: CompactedOutputInput): Record<string, unknown>[] {
  let leftTokens = MAX_MESSAGE_TOKENS;
  const messages: Record<string, unknown>[] = [];
  for (const message of items.filter(isUserMessage).toReversed()) {
    if (leftTokens <= 0) break;
    const parts = partsOf(message['content']);
    const tokens = parts.reduce((sum, part) => sum + tokensOf(part), 0);
    const content = tokens <= leftTokens ? parts : shortened(parts, leftTokens);
    leftTokens -= tokens;
    if (content.length === 0) continue;
    messages.push({ id: newId('msg_'), type: 'message', status: 'completed', role: 'user', content });
  }
  return [...messages.toReversed(), { id: newId('cmp_'), type: 'compaction', encrypted_content: encryptedContent }];
}

type Part = Record<string, unknown>;

function shortened(parts: readonly Part[], tokens: number): Part[] {
  let characters = tokens * CHARACTERS_PER_TOKEN;
  return parts.flatMap((part) => {
    if (typeof part['text'] !== 'string' || characters <= 0) return [];
    const text = part['text'].slice(0, characters);
    characters -= text.length;
    // Truncation may have split a surrogate pair.
    return [{ type: 'input_text', text: text.toWellFormed() }];
  });
}

function tokensOf({ text }: Part): number {
  return typeof text === 'string' ? Math.ceil(text.length / CHARACTERS_PER_TOKEN) : MEDIUM_TOKENS;
}

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function isUserMessage(item: unknown): item is Record<string, unknown> {
  if (!isRecord(item) || item['role'] !== 'user') return false;
  return item['type'] === undefined || item['type'] === 'message';
}
