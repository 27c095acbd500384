import type {
  ContentBlock,
  FinishReason,
  MediaBlock,
  ReasoningBlock,
  RefusalBlock,
  TextBlock,
  ToolCallBlock,
} from '@sluice/canonical';
import { flatToolName } from '../../text/tool-names.ts';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeAnnotations, partTexts } from '../wire/decode-content.ts';
import { asArray, asNonEmptyString, asObject, asString, type JsonObject } from '../../json/values.ts';

export function decodeOutputItem(item: JsonObject, { target }: UpstreamResponseContext): ContentBlock[] {
  switch (item['type']) {
    case 'message':
      return asArray(item['content']).flatMap((part) => decodeOutputPart(asObject(part)) ?? []);
    case 'reasoning': {
      const block = decodeReasoningItem(item, target);
      return block.text.length > 0 || block.opaqueToken ? [block] : [];
    }
    case 'function_call':
    case 'custom_tool_call': {
      const call = decodeCallItem(item);
      return call ? [call] : [];
    }
    case 'image_generation_call': {
      const image = decodeImageItem(item);
      return image ? [image] : [];
    }
    default:
      return [{ type: 'foreign', protocol: 'responses', kind: asString(item['type']) ?? 'item', raw: item }];
  }
}

/** Decodes a message part. Returns undefined for an empty or unknown part. */
export function decodeOutputPart(part: JsonObject | undefined): TextBlock | RefusalBlock | undefined {
  if (part?.['type'] === 'refusal') {
    const refusal = asNonEmptyString(part['refusal']);
    return refusal === undefined ? undefined : { type: 'refusal', text: refusal };
  }
  const text = part?.['type'] === 'output_text' ? asNonEmptyString(part['text']) : undefined;
  return text === undefined ? undefined : { type: 'text', text, citations: decodeAnnotations(part?.['annotations']) };
}

/** Decodes a reasoning item. Raw text takes precedence over the summary. */
export function decodeReasoningItem(item: JsonObject, target: UpstreamResponseContext['target']): ReasoningBlock {
  const raw = partTexts(item['content']);
  const isSummary = raw.length === 0;
  const value = asNonEmptyString(item['encrypted_content']);
  const { protocol, account, model } = target;
  return {
    type: 'reasoning',
    text: isSummary ? partTexts(item['summary']) : raw,
    isSummary,
    id: asNonEmptyString(item['id']),
    opaqueToken: value === undefined ? undefined : { protocol, account, model, value },
  };
}

/** Decodes a call. Returns undefined if the id or the name is missing. */
export function decodeCallItem(item: JsonObject): ToolCallBlock | undefined {
  const callId = asString(item['call_id']) ?? asString(item['id']) ?? '';
  const name = asString(item['name']) ?? '';
  if (callId === '' || name === '') return undefined;
  const isCustom = item['type'] === 'custom_tool_call';
  const text = item[isCustom ? 'input' : 'arguments'];
  return {
    type: 'tool-call',
    callId,
    name: flatToolName(name, asString(item['namespace'])),
    kind: isCustom ? 'custom' : 'function',
    arguments: isRecord(text) ? JSON.stringify(text) : (asString(text) ?? ''),
  };
}

function decodeImageItem(item: JsonObject): MediaBlock | undefined {
  const data = asNonEmptyString(item['result']);
  if (data === undefined) return undefined;
  const mediaType = `image/${asString(item['output_format']) ?? 'png'}`;
  return { type: 'media', kind: 'image', source: { from: 'base64', mediaType, data } };
}

/**
 * @param response response in its final state, `completed` or `incomplete`
 * @param types types of the response's blocks
 */
export function decodeFinish(response: JsonObject, types: ReadonlySet<ContentBlock['type']>): FinishReason {
  if (response['status'] === 'incomplete') {
    const reason = asObject(response['incomplete_details'])?.['reason'];
    // Any other reason (e.g. `max_messages`) also means an unfinished response.
    return reason === 'content_filter' ? 'content_filter' : 'length';
  }
  if (types.has('tool-call')) return 'tool_calls';
  return types.has('refusal') ? 'refusal' : 'stop';
}
