import type { CacheMark, ContentBlock, TextBlock } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { decodeAudio, decodeFile, decodeImage, decodeVideo } from '../wire/decode-media.ts';
import { invalidField, requireObject, requireText } from '../wire/invalid-field.ts';
import { listOf, textOf, type JsonObject } from '../wire/json.ts';

/**
 * Reads a message's `content`: text, or a list of parts. Empty texts among other parts are left out. A part that this
 * protocol's vendors may know and we do not becomes `foreign`.
 * @param path of the content, for errors
 * @throws GatewayError `invalid_request` naming the part
 */
export function decodeContent(content: unknown, path: string): ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw invalidField(path, 'must be a string or an array of parts');
  const blocks = content.map((part: unknown, index) => decodePart(part, `${path}[${index}]`));
  const told = blocks.filter((block) => block.type !== 'text' || block.text !== '');
  return told.length > 0 ? told : blocks.slice(0, 1);
}

/**
 * Reads content that can hold text alone, as instructions do.
 * @throws GatewayError `invalid_request` naming the part
 */
export function decodeTexts(content: unknown, path: string): TextBlock[] {
  return decodeContent(content, path).map((block, index) => {
    if (block.type === 'text') return block;
    throw invalidField(`${path}[${index}]`, 'must be a text part: this message cannot hold anything else');
  });
}

function decodePart(value: unknown, path: string): ContentBlock {
  if (typeof value === 'string') return { type: 'text', text: value };
  const part = requireObject(value, path);
  const type = requireText(part['type'], `${path}[type]`);
  switch (type) {
    case 'text':
      return { type: 'text', text: requireText(part['text'], `${path}[text]`), ...cacheOf(part) };
    case 'refusal':
      return { type: 'refusal', text: requireText(part['refusal'], `${path}[refusal]`) };
    case 'image_url':
      return { ...decodeImage(part, path), ...cacheOf(part) };
    case 'input_audio':
      return { ...decodeAudio(part, path), ...cacheOf(part) };
    case 'file':
      return { ...decodeFile(part, path), ...cacheOf(part) };
    case 'video_url':
      return { ...decodeVideo(part, path), ...cacheOf(part) };
    case 'thinking':
      // Mistral's way to send past reasoning.
      return { type: 'reasoning', text: [thinkingText(part['thinking'])], isSummary: false };
    default:
      return { type: 'foreign', protocol: 'chat-completions', kind: type, raw: part };
  }
}

/** OpenAI's `prompt_cache_breakpoint`, or `cache_control` as several gateways have it. */
function cacheOf(part: JsonObject): { cache?: CacheMark } {
  const mark = part['prompt_cache_breakpoint'] ?? part['cache_control'];
  if (!isRecord(mark)) return {};
  const ttl = textOf(mark['ttl']);
  return { cache: ttl === undefined ? {} : { ttl } };
}

/** Mistral's reasoning: text, or a list of text parts. */
export function thinkingText(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => (isRecord(part) ? (textOf(part['text']) ?? '') : ''))
    .join('');
}
