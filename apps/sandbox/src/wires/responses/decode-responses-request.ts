import { z } from 'zod';
import type { TextRequest, ToolDefinition, ToolResult, ToolUse, Turn } from '../../text/text-request.ts';
import { systemTurns } from '../../text/text-request.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import type { InputItem } from './input-item.ts';
import { COMPACTION } from './resolve-conversation.ts';
import { type ResponsesRequest, type ResponsesTool, ResponsesToolSchema } from './responses-request.ts';

type Content =
  | Extract<InputItem, { type: 'message' }>['content']
  | Extract<InputItem, { type: 'function_call_output' }>['output'];

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

function imagesIn(content: Content): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'input_image').length;
}

function resultOf({ output }: { output: Content }, name: string): ToolResult {
  const text = textOf(output);
  // The protocol has no error flag, so a failed tool is recognized by its text.
  return { name, text, images: imagesIn(output), failed: /^error\b/i.test(text) };
}

const SummarySchema = z.object({ turns: z.int(), text: z.string() });

function summaryIn(item: Extract<InputItem, { type: 'compaction' }>, secretStore: SecretStore) {
  const decrypted = secretStore.decrypt(COMPACTION, item.encrypted_content);
  return decrypted === undefined ? undefined : SummarySchema.safeParse(JSON.parse(decrypted)).data;
}

function turnsOf(items: readonly InputItem[], secretStore: SecretStore): Turn[] {
  const names = new Map<string, string>();
  let turns: Turn[] = [];
  for (const item of items) {
    if (item.type === 'message') {
      const role = item.role === 'developer' ? 'system' : item.role;
      turns.push({ role, text: textOf(item.content), images: imagesIn(item.content) });
    } else if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      names.set(item.call_id, item.name);
      turns.push({ role: 'assistant', text: '', images: 0 });
    } else if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      turns.push({ role: 'tool', results: [resultOf(item, names.get(item.call_id ?? '') ?? item.name ?? '')] });
    } else if (item.type === 'compaction') {
      // A compaction item replaces all items before it.
      const text = summaryIn(item, secretStore)?.text ?? '';
      turns = [...turns.filter(({ role }) => role === 'system'), { role: 'system', text, images: 0 }];
    }
  }
  return turns;
}

function offered(tools: readonly ResponsesTool[]): ToolDefinition[] {
  return tools.flatMap((tool): ToolDefinition[] => {
    if (tool.type === 'function') {
      return [{ name: tool.name, kind: 'function', schema: tool.parameters ?? { type: 'object' } }];
    }
    if (tool.type === 'custom') return [{ name: tool.name, kind: 'custom' }];
    if (tool.type !== 'namespace') return [];
    return offered(tool.tools).map((inner) => Object.assign(inner, { namespace: tool.name }));
  });
}

function toolUse({ tool_choice: choice }: Pick<ResponsesRequest, 'tool_choice'>): ToolUse {
  if (typeof choice === 'string') return { toolUse: choice };
  if (choice?.type === 'function' || choice?.type === 'custom') {
    return { toolUse: 'required', onlyTools: [choice.name] };
  }
  if (choice?.type !== 'allowed_tools') return { toolUse: 'auto' };
  return { toolUse: choice.mode, onlyTools: choice.tools.map(({ name = '' }) => name) };
}

export function decodeResponsesRequest(
  request: Partial<Omit<ResponsesRequest, 'input'>> & { model: string },
  items: readonly InputItem[],
  secretStore: SecretStore,
): TextRequest {
  const { model, instructions, tools, reasoning, text, max_output_tokens: maxTokens } = request;
  const added = items.flatMap((item) => (item.type === 'additional_tools' ? item.tools : []));
  const known = added.flatMap((tool) => ResponsesToolSchema.safeParse(tool).data ?? []);
  const format = text?.format;
  const compacted = items.findLast((item) => item.type === 'compaction');
  const summary = compacted && summaryIn(compacted, secretStore);
  return {
    model,
    turns: [...systemTurns(instructions ?? ''), ...turnsOf(items, secretStore)],
    tools: offered([...(tools ?? []), ...known]),
    ...toolUse(request),
    parallel: request.parallel_tool_calls !== false,
    requestsReasoning: reasoning !== undefined && reasoning !== null && reasoning.effort !== 'none',
    ...(format?.type === 'json_object' && { format: {} }),
    ...(format?.type === 'json_schema' && { format: { schema: format.schema } }),
    stops: [],
    summarizedTurns: summary?.turns,
    maxTokens: maxTokens ?? undefined,
  };
}
