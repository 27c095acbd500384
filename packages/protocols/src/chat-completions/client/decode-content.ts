import type { CacheBreakpoint, ContentBlock, TextBlock } from '@sluice/canonical';
import type { JsonField } from '../../json/json-field.ts';
import { asNonEmptyString, asObject } from '../../json/values.ts';
import { decodeAudio, decodeFile, decodeImage, decodeVideo } from '../wire/decode-media.ts';
import { thinkingText } from '../wire/thinking-text.ts';

/**
 * Decodes a message's `content`. Drops empty texts next to other parts. An unknown part becomes a `foreign` block,
 * because a vendor of this protocol may support it.
 */
export function decodeContent(content: JsonField): ContentBlock[] {
  if (!content.isSet) return [];
  if (content.string !== undefined) return [{ type: 'text', text: content.string }];
  if (!Array.isArray(content.value)) throw content.invalid('must be a string or an array of parts');
  const blocks = content.items().map(decodePart);
  const filled = blocks.filter((block) => block.type !== 'text' || block.text !== '');
  return filled.length > 0 ? filled : blocks.slice(0, 1);
}

/** Decodes instructions, which can contain only text. */
export function decodeTexts(content: JsonField): TextBlock[] {
  return decodeContent(content).map((block, index) => {
    if (block.type === 'text') return block;
    throw content.items()[index]?.invalid('must be a text part') ?? content.invalid('must be text');
  });
}

function decodePart(part: JsonField): ContentBlock {
  if (part.string !== undefined) return { type: 'text', text: part.string };
  const type = part.get('type').requireString();
  const cache = cacheOf(part);
  switch (type) {
    case 'text':
      return { type: 'text', text: part.get('text').requireString(), cache };
    case 'refusal':
      return { type: 'refusal', text: part.get('refusal').requireString() };
    case 'image_url':
      return { ...decodeImage(part), cache };
    case 'input_audio':
      return { ...decodeAudio(part), cache };
    case 'file':
      return { ...decodeFile(part), cache };
    case 'video_url':
      return { ...decodeVideo(part), cache };
    case 'thinking':
      // Mistral's format for reasoning of earlier turns.
      return { type: 'reasoning', text: [thinkingText(part.get('thinking').value)], isSummary: false };
    default:
      return { type: 'foreign', protocol: 'chat-completions', kind: type, raw: part.value };
  }
}

/** Decodes OpenAI's `prompt_cache_breakpoint`, or `cache_control` as several gateways define it. */
function cacheOf(part: JsonField): CacheBreakpoint | undefined {
  const mark = asObject(part.get('prompt_cache_breakpoint').value ?? part.get('cache_control').value);
  return mark && { ttl: asNonEmptyString(mark['ttl']) };
}
