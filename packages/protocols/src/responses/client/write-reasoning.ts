import type { BlockHead, Reasoning, ReasoningBlock } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';
import { type WrappedToken, wrapToken } from './wrapped-token.ts';
import { missingText } from '../wire/missing-text.ts';
import { type OutputItems, jsonMembers } from './output-items.ts';
import type { JsonObject } from '../../json/values.ts';

type ReasoningHead = BlockHead & { type: 'reasoning' };

export interface ReasoningWriter {
  delta(text: string, paragraph: number): void;
  close(block: ReasoningBlock): void;
}

type Visibility = 'summary' | 'content' | 'hidden';

/** Event types for the text and its parts, by visibility. */
const EVENTS = {
  summary: { text: 'response.reasoning_summary_text', part: 'response.reasoning_summary_part' },
  content: { text: 'response.reasoning_text', part: 'response.content_part' },
} as const;

interface OpenParagraph {
  paragraph: number;
  text: string;
  members: string;
}

/**
 * Encodes reasoning according to the client's request:
 *
 * - If the client requested a summary, the text is sent as the summary, because published clients display nothing else.
 * - If it declined one (`summary: null`), no text is sent.
 * - Otherwise, the text is sent as `content`, as in Open Responses and servers of open models. Other clients ignore it.
 *
 * An item without text and token is omitted.
 */
export function createReasoningWriter(
  items: OutputItems,
  head: ReasoningHead,
  tokenCodec: TokenCodec,
  visible: Reasoning['visible'],
): ReasoningWriter {
  const visibility = visibilityOf(head, visible);
  const parts: JsonObject[] = [];
  let item: { id: string; index: number } | undefined;
  let open: OpenParagraph | undefined;

  function position({ id, index }: { id: string; index: number }): JsonObject {
    const partIndex = visibility === 'summary' ? 'summary_index' : 'content_index';
    return { item_id: id, output_index: index, [partIndex]: parts.length };
  }

  function begin(): { id: string; index: number } {
    const id = items.nextId('reasoning');
    return { id, index: items.begin({ id, type: 'reasoning', summary: [] }) };
  }

  function endParagraph(): void {
    if (!item || !open || visibility === 'hidden') return;
    const at = position(item);
    const part = encodePart(visibility, open.text);
    items.sink.event(`${EVENTS[visibility].text}.done`, { ...at, text: open.text });
    items.sink.event(`${EVENTS[visibility].part}.done`, { ...at, part });
    parts.push(part);
    open = undefined;
  }

  function delta(text: string, paragraph: number): void {
    if (text === '' || visibility === 'hidden') return;
    if (open && open.paragraph !== paragraph) endParagraph();
    if (!open) {
      item ??= begin();
      const at = position(item);
      items.sink.event(`${EVENTS[visibility].part}.added`, { ...at, part: encodePart(visibility, '') });
      open = { paragraph, text: '', members: jsonMembers(at) };
    }
    open.text += text;
    items.sink.delta(`${EVENTS[visibility].text}.delta`, open.members, text);
  }

  return {
    delta,
    close: (block) => {
      const from = open?.paragraph ?? 0;
      for (const [paragraph, text] of block.text.entries()) {
        if (paragraph === open?.paragraph) delta(missingText(open.text, text), paragraph);
        else if (paragraph > from || parts.length === 0) delta(text, paragraph);
      }
      endParagraph();
      const token = tokenOf(block, visibility);
      if (!item && !token) return;
      const { id, index } = item ?? begin();
      items.finish(index, {
        id,
        type: 'reasoning',
        summary: visibility === 'summary' ? parts : [],
        content: visibility === 'content' && parts.length > 0 ? parts : undefined,
        encrypted_content: token && wrapToken(tokenCodec, token),
      });
    },
  };
}

function visibilityOf({ isSummary, redacted }: ReasoningHead, visible: Reasoning['visible']): Visibility {
  if (redacted === true || visible === 'none') return 'hidden';
  return isSummary || visible !== undefined ? 'summary' : 'content';
}

function encodePart(visibility: Visibility, text: string): JsonObject {
  return { type: visibility === 'summary' ? 'summary_text' : 'reasoning_text', text };
}

/**
 * Clients send back only the summary, so any other text is packed into the token. If the vendor has no token, the token
 * holds only the text, because some vendors (DeepSeek, Kimi) need it back between tool calls.
 */
function tokenOf({ opaqueToken, text, redacted }: ReasoningBlock, visibility: Visibility): WrappedToken | undefined {
  const keepsText = visibility !== 'summary' && text.length > 0 && opaqueToken?.protocol !== 'responses';
  if (!opaqueToken && !keepsText) return undefined;
  return { opaqueToken, text: keepsText ? text : undefined, redacted: redacted === true ? true : undefined };
}
