import type { BlockHead, Reasoning, ReasoningBlock } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';
import { type WrappedToken, wrapToken } from './wrapped-token.ts';
import { missingText } from '../wire/missing-text.ts';
import { type OutputItems, jsonMembers } from './output-items.ts';
import type { JsonObject } from '../../json/values.ts';

export interface ReasoningWriter {
  delta(text: string, paragraph: number): void;
  close(block: ReasoningBlock): void;
}

/** Where the client sees the text. */
type Shown = 'summary' | 'content' | 'hidden';

interface OpenParagraph {
  paragraph: number;
  text: string;
  members: string;
}

/**
 * If the client requested a summary, the text is sent as one, because published clients show nothing else. If it
 * declined
 * one (`summary: null`), no text is sent. Otherwise, thoughts are sent as `content`, where Open Responses, the SDK's
 * types, and servers of open models have them. Clients that do not know `content` ignore it.
 *
 * The item starts with its first text, or at its end if it only carries a token. Without both there is no item.
 */
export function createReasoningWriter(
  items: OutputItems,
  head: BlockHead & { type: 'reasoning' },
  tokenCodec: TokenCodec,
  visible: Reasoning['visible'],
): ReasoningWriter {
  const shown: Shown = visibilityOf(head, visible);
  const parts: JsonObject[] = [];
  let item: { id: string; index: number } | undefined;
  let open: OpenParagraph | undefined;

  function position({ id, index }: { id: string; index: number }): JsonObject {
    return {
      item_id: id,
      output_index: index,
      [shown === 'summary' ? 'summary_index' : 'content_index']: parts.length,
    };
  }

  function begin(): { id: string; index: number } {
    const id = items.nextId('reasoning');
    return { id, index: items.begin({ id, type: 'reasoning', summary: [] }) };
  }

  function endParagraph(): void {
    if (!item || !open) return;
    const at = position(item);
    const part = encodePart(shown, open.text);
    items.sink.event(`response.${TEXT_EVENT[shown]}.done`, { ...at, text: open.text });
    items.sink.event(`response.${PART_EVENT[shown]}.done`, { ...at, part });
    parts.push(part);
    open = undefined;
  }

  function delta(text: string, paragraph: number): void {
    if (text === '' || shown === 'hidden') return;
    if (open && open.paragraph !== paragraph) endParagraph();
    if (!open) {
      item ??= begin();
      const at = position(item);
      items.sink.event(`response.${PART_EVENT[shown]}.added`, { ...at, part: encodePart(shown, '') });
      open = { paragraph, text: '', members: jsonMembers(at) };
    }
    open.text += text;
    items.sink.delta(`response.${TEXT_EVENT[shown]}.delta`, open.members, text);
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
      const token = tokenOf(block, shown);
      if (!item && !token) return;
      const { id, index } = item ?? begin();
      items.finish(index, {
        id,
        type: 'reasoning',
        summary: shown === 'summary' ? parts : [],
        ...(shown === 'content' && parts.length > 0 && { content: parts }),
        ...(token && { encrypted_content: wrapToken(tokenCodec, token) }),
      });
    },
  };
}

const TEXT_EVENT = { summary: 'reasoning_summary_text', content: 'reasoning_text', hidden: '' } as const;
const PART_EVENT = { summary: 'reasoning_summary_part', content: 'content_part', hidden: '' } as const;

function visibilityOf(
  { isSummary, redacted }: BlockHead & { type: 'reasoning' },
  visible: Reasoning['visible'],
): Shown {
  if (redacted === true || visible === 'none') return 'hidden';
  return isSummary || visible !== undefined ? 'summary' : 'content';
}

function encodePart(shown: Shown, text: string): JsonObject {
  return { type: shown === 'summary' ? 'summary_text' : 'reasoning_text', text };
}

/**
 * Clients return at most the summary. Any other text travels with the token, or alone for vendors without tokens that
 * need
 * it back between tool calls (DeepSeek, Kimi).
 */
function tokenOf({ opaqueToken, text, redacted }: ReasoningBlock, shown: Shown): WrappedToken | undefined {
  const isLost = shown !== 'summary' && text.length > 0 && opaqueToken?.protocol !== 'responses';
  if (!opaqueToken && !isLost) return undefined;
  return { ...(opaqueToken && { opaqueToken }), ...(isLost && { text }), ...(redacted === true && { redacted }) };
}
