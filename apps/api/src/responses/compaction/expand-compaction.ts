import { isRecord } from '@sluice/protocols';
import { COMPACTION_PREFIX, decodeCompaction } from './compaction-token.ts';

/** What the summary is introduced with. */
const SUMMARY_HEADING = "Another model's summary of the conversation so far:";

/** Input items that are no part of the conversation that was summarised, but rule all of the request. */
const STANDING_TYPES: ReadonlySet<unknown> = new Set([
  'additional_tools',
  'configuration_update',
  'tool_search_output',
]);

/**
 * Puts the summary in the place of the last compaction that this gateway made: a developer message. It stands for all
 * turns before it, which go: answers, reasoning, calls and results, earlier compactions. Instructions and the user's
 * messages stay, as a compaction's own output has them before it (Codex sends its developer messages there, too).
 * Compactions of others are left alone.
 *
 * @param items the `input` of a request, not changed
 * @returns the same array when there is none of ours
 * @throws GatewayError `invalid_encrypted_content` naming the item, when ours cannot be opened
 */
export function expandCompaction(items: readonly unknown[], secret: string): readonly unknown[] {
  for (const [index, item] of [...items.entries()].toReversed()) {
    const encryptedContent = encodedText(item);
    if (encryptedContent === undefined) continue;
    const opened = decodeCompaction(secret, encryptedContent, `input[${index}][encrypted_content]`);
    if (!opened) continue;
    const kept = items.slice(0, index).filter(stays);
    return [...kept, summaryMessage(opened.summary), ...items.slice(index + 1)];
  }
  return items;
}

function summaryMessage(summary: string): unknown {
  return {
    type: 'message',
    role: 'developer',
    content: [{ type: 'input_text', text: `${SUMMARY_HEADING}\n${summary}` }],
  };
}

function stays(item: unknown): boolean {
  if (!isRecord(item)) return true;
  const { type, role } = item;
  if (type === 'message' || type === undefined) return role !== undefined && role !== 'assistant';
  const encryptedContent = encodedText(item);
  return encryptedContent === undefined ? STANDING_TYPES.has(type) : !encryptedContent.startsWith(COMPACTION_PREFIX);
}

function encodedText(item: unknown): string | undefined {
  if (!isRecord(item) || item['type'] !== 'compaction') return undefined;
  const { encrypted_content: encryptedContent } = item;
  return typeof encryptedContent === 'string' ? encryptedContent : undefined;
}
