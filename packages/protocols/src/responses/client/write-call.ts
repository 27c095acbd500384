import type { BlockHead, Tool, ToolCallBlock } from '@sluice/canonical';
import { functionArguments } from '../../text/tool-arguments.ts';
import { clientToolName } from '../../text/tool-names.ts';
import { callItemId } from './item-id.ts';
import { missingText } from '../wire/missing-text.ts';
import { type OutputItems, jsonMembers } from './output-items.ts';
import type { JsonObject } from '../../json/values.ts';

export interface CallWriter {
  delta(text: string): void;
  close(block: ToolCallBlock): void;
}

export function createCallWriter(
  items: OutputItems,
  head: BlockHead & { type: 'tool-call' },
  tools: readonly Tool[],
): CallWriter {
  const isCustom = head.kind === 'custom';
  const type = isCustom ? 'custom_tool_call' : 'function_call';
  const events = `response.${isCustom ? 'custom_tool_call_input' : 'function_call_arguments'}`;
  const id = callItemId(type, head.callId);
  const { name, namespace } = clientToolName(tools, head.name);
  let text = '';

  const encode = (status: string): JsonObject => ({
    id,
    type,
    status,
    call_id: head.callId,
    name,
    namespace,
    [isCustom ? 'input' : 'arguments']: text,
  });
  const index = items.begin(encode('in_progress'));
  const at = { item_id: id, output_index: index };
  const members = jsonMembers(at);

  function delta(chunk: string): void {
    if (chunk === '') return;
    text += chunk;
    items.sink.delta(`${events}.delta`, members, chunk);
  }

  return {
    delta,
    close: (block) => {
      // A function's empty arguments become an empty object.
      delta(missingText(text, isCustom ? block.arguments : functionArguments(block)));
      items.sink.event(`${events}.done`, { ...at, [isCustom ? 'input' : 'arguments']: text });
      items.finish(index, encode('completed'));
    },
  };
}
