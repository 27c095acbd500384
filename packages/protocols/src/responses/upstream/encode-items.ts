import type {
  ContentBlock,
  LossReport,
  MediaBlock,
  Message,
  ReasoningBlock,
  RefusalBlock,
  TextBlock,
  TextTarget,
  ToolCallBlock,
  ToolResultBlock,
} from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import { canReadToken } from '../../text/token-codec.ts';
import { functionArguments } from '../../text/tool-arguments.ts';
import { encodeAnnotations } from '../wire/annotations.ts';
import { encodeInputPart } from './encode-content.ts';
import type { JsonObject } from '../../json/values.ts';

export interface ItemContext {
  target: TextTarget;
  instructionRole: 'system' | 'developer';
  cacheMarks: boolean;
  report: LossReport;
}

/** OpenAI rejects a call without a result. */
const NO_RESULT = '[no result]';

/**
 * Encodes messages as input items. Ids are omitted, because OpenAI rejects unknown ids and prefixes.
 * @throws GatewayError `unsupported_parameter` for unsupported media
 */
export function encodeItems(messages: readonly Message[], context: ItemContext): JsonObject[] {
  const calls = new Map<string, ToolCallBlock>();
  const callsWithResult = new Set<string>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'tool-call') calls.set(block.callId, block);
      if (block.type === 'tool-result') callsWithResult.add(block.callId);
    }
  }
  return messages.flatMap((message): JsonObject[] => {
    if (message.role === 'assistant') return encodeAssistant(message.content, callsWithResult, context);
    const role = message.role === 'user' ? 'user' : context.instructionRole;
    return encodeInput(role, message.content, calls, context);
  });
}

function encodeInput(
  role: string,
  content: readonly ContentBlock[],
  calls: ReadonlyMap<string, ToolCallBlock>,
  context: ItemContext,
): JsonObject[] {
  const items: JsonObject[] = [];
  let pending: (TextBlock | MediaBlock)[] = [];
  const flush = (): void => {
    const parts = withoutBlanks(pending).map((block) => encodeInputPart(block, context.cacheMarks));
    if (parts.length > 0) items.push({ type: 'message', role, content: parts });
    pending = [];
  };
  for (const block of content) {
    switch (block.type) {
      case 'text':
      case 'media':
        pending.push(block);
        break;
      case 'refusal':
        pending.push({ type: 'text', text: block.text });
        break;
      case 'tool-result': {
        const call = calls.get(block.callId);
        // OpenAI rejects a result without its call.
        if (!call) pending.push(missingCallLabel(block), ...withErrorLabel(block));
        else {
          flush();
          items.push(encodeResult(block, call, context.cacheMarks));
        }
        break;
      }
      case 'foreign':
        flush();
        items.push(...encodeForeign(block, context.report));
        break;
      case 'reasoning':
      case 'tool-call':
        break;
    }
  }
  flush();
  return items;
}

function encodeAssistant(
  content: readonly ContentBlock[],
  callsWithResult: ReadonlySet<string>,
  context: ItemContext,
): JsonObject[] {
  const items: JsonObject[] = [];
  const open: ToolCallBlock[] = [];
  const images: MediaBlock[] = [];
  let pending: (TextBlock | RefusalBlock)[] = [];
  const flush = (): void => {
    const parts = pending.filter(({ text }) => text !== '').map((block) => encodeOutputPart(block, context.report));
    if (parts.length > 0) items.push({ type: 'message', role: 'assistant', content: parts });
    pending = [];
  };
  for (const block of content) {
    if (block.type === 'text' || block.type === 'refusal') {
      pending.push(block);
      continue;
    }
    flush();
    switch (block.type) {
      case 'reasoning':
        items.push(...encodeReasoning(block, context));
        break;
      case 'tool-call':
        items.push(encodeCall(block));
        if (!callsWithResult.has(block.callId)) open.push(block);
        break;
      case 'media':
        images.push(block);
        break;
      case 'foreign':
        items.push(...encodeForeign(block, context.report));
        break;
      case 'tool-result':
        break;
    }
  }
  flush();
  for (const { callId, kind } of open) {
    items.push({ type: `${callType(kind)}_output`, call_id: safeCallId(callId), output: NO_RESULT });
  }
  // Only user messages can contain images.
  if (images.length > 0 && open.length === 0 && !items.some((item) => 'call_id' in item)) {
    const parts = images.map((block) => encodeInputPart(block, context.cacheMarks));
    items.push({ type: 'message', role: 'user', content: parts });
  } else if (images.length > 0) context.report({ field: 'assistant media', how: 'dropped' });
  return items;
}

function encodeOutputPart(block: TextBlock | RefusalBlock, report: LossReport): JsonObject {
  if (block.type === 'refusal') return { type: 'refusal', refusal: block.text };
  if (block.citations?.some(({ url }) => url === undefined)) report({ field: 'citations', how: 'dropped' });
  return { type: 'output_text', text: block.text, annotations: block.citations && encodeAnnotations(block.citations) };
}

/**
 * Drops reasoning without a readable token. A reasoning item requires its token, and OpenAI rejects another account's
 * token.
 */
function encodeReasoning(block: ReasoningBlock, { target, report }: ItemContext): JsonObject[] {
  if (!canReadToken(block.opaqueToken, target)) {
    report({ field: 'reasoning', how: 'dropped' });
    return [];
  }
  const { isSummary, opaqueToken } = block;
  const parts = block.text.map((text) => ({ type: isSummary ? 'summary_text' : 'reasoning_text', text }));
  return [
    {
      type: 'reasoning',
      summary: isSummary ? parts : [],
      content: isSummary || parts.length === 0 ? undefined : parts,
      encrypted_content: opaqueToken.value,
    },
  ];
}

function encodeCall(block: ToolCallBlock): JsonObject {
  const { callId, name, kind } = block;
  const call = { type: callType(kind), call_id: safeCallId(callId), name };
  return kind === 'custom' ? { ...call, input: block.arguments } : { ...call, arguments: functionArguments(block) };
}

function callType(kind: ToolCallBlock['kind']): string {
  return kind === 'custom' ? 'custom_tool_call' : 'function_call';
}

function encodeResult(block: ToolResultBlock, call: ToolCallBlock, cacheMarks: boolean): JsonObject {
  const content = withErrorLabel(block);
  const [first] = content;
  const isPlain = content.length < 2 && first?.type !== 'media' && !first?.cache;
  return {
    type: `${callType(call.kind)}_output`,
    call_id: safeCallId(block.callId),
    output: isPlain ? (first?.text ?? '') : content.map((part) => encodeInputPart(part, cacheMarks)),
  };
}

/** Labels a result whose call is missing. */
function missingCallLabel({ name, callId }: ToolResultBlock): TextBlock {
  return { type: 'text', text: `[Result of tool call ${name ?? callId}]` };
}

/** Labels a failed result, because the protocol has no field for a failed tool. */
function withErrorLabel({ content, isError }: ToolResultBlock): ToolResultBlock['content'] {
  if (isError !== true) return content;
  const [first, ...rest] = content;
  if (first?.type === 'text') return [{ ...first, text: `Error: ${first.text}` }, ...rest];
  return [{ type: 'text', text: 'Error: ' }, ...content];
}

function encodeForeign(block: ContentBlock & { type: 'foreign' }, report: LossReport): JsonObject[] {
  // The cast is safe because this protocol's decoder requires an object.
  if (block.protocol === 'responses') return [block.raw as JsonObject];
  report({ field: block.kind, how: 'dropped' });
  return [];
}

/** Drops empty texts next to other content. */
function withoutBlanks(blocks: readonly (TextBlock | MediaBlock)[]): readonly (TextBlock | MediaBlock)[] {
  const full = blocks.filter((block) => block.type !== 'text' || block.text !== '');
  return full.length > 0 ? full : blocks.slice(0, 1);
}
