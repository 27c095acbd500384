import type { OpaqueToken, ReasoningBlock } from '@sluice/canonical';
import type { JsonObject } from '../../json/values.ts';

/** Marks the value of redacted content. Signatures are base64, which contains no colon. */
const REDACTED = 'redacted:';

/** @param data base64, as in the JSON of the API */
export function redactedValue(data: string): string {
  return REDACTED + data;
}

/** Restores the `reasoningContent` that the model created. */
export function restoreReasoning(block: ReasoningBlock, { value }: OpaqueToken): JsonObject {
  if (value.startsWith(REDACTED)) return { redactedContent: value.slice(REDACTED.length) };
  return { reasoningText: { text: block.text.join('\n\n'), signature: value } };
}
