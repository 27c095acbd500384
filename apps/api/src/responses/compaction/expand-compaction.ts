import { isRecord } from '@sluice/protocols';
import { COMPACTION_PREFIX, decodeCompaction } from './compaction-token.ts';

const SUMMARY_HEADING = "Another model's summary of the conversation so far:";

/** Input items that configure the entire request. They are not part of the summarized conversation. */
const CONFIGURATION_TYPES: ReadonlySet<unknown> = new Set([
  'additional_tools',
  'configuration_update',
  'tool_search_output',
]);

/**
 * Replaces the last compaction created here with a developer message that contains its summary. Removes all earlier
 * responses, reasoning, calls, results, and compactions. Keeps instructions and user messages, because a compaction's
 * output also contains them (Codex also sends its developer messages there).
 * @returns the same array if there is nothing to replace
 * @throws GatewayError `invalid_encrypted_content` naming the item that cannot be decrypted
 */
export function expandCompaction(items: readonly unknown[], secret: string): readonly unknown[] {
  for (const [index, item] of [...items.entries()].toReversed()) {
    const encryptedContent = encodedText(item);
    if (encryptedContent === undefined) continue;
    const opened = decodeCompaction(secret, encryptedContent, `input[${index}][encrypted_content]`);
    if (!opened) continue;
    const earlier = items.slice(0, index).filter(isRetained);
    return [...earlier, summaryMessage(opened.summary), ...items.slice(index + 1)];
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

function isRetained(item: unknown): boolean {
  if (!isRecord(item)) return true;
  const { type, role } = item;
  if (type === 'message' || type === undefined) return role !== undefined && role !== 'assistant';
  const encryptedContent = encodedText(item);
  return encryptedContent === undefined
    ? CONFIGURATION_TYPES.has(type)
    : !encryptedContent.startsWith(COMPACTION_PREFIX);
}

function encodedText(item: unknown): string | undefined {
  if (!isRecord(item) || item['type'] !== 'compaction') return undefined;
  const { encrypted_content: encryptedContent } = item;
  return typeof encryptedContent === 'string' ? encryptedContent : undefined;
}
