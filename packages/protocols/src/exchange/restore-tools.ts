import type { Choice, ContentBlock, Generation, StreamEvent, Tool } from '@sluice/canonical';
import { customInput } from '../text/tool-arguments.ts';
import { findTool } from '../text/tool-names.ts';

/**
 * Undoes changes that the encoder made for an upstream: converts function calls back to custom tool calls, and restores
 * abbreviated tool names.
 */
export function restoreTools(generation: Generation, tools: readonly Tool[]): Generation {
  if (tools.length === 0) return generation;
  const restored = (choice: Choice): Choice => ({
    ...choice,
    content: choice.content.map((block) => restoreBlock(block, tools)),
  });
  return { ...generation, choices: generation.choices.map(restored) };
}

/**
 * Like {@link restoreTools}, for a stream. A custom tool's call is buffered until it is complete, because its text is
 * inside JSON.
 * @returns undefined if no event changes
 */
export function createToolRestorer(tools: readonly Tool[]): ((event: StreamEvent) => StreamEvent[]) | undefined {
  if (!tools.some((tool) => tool.kind === 'custom' || tool.clientName)) return undefined;
  /** Choices whose open block is a call to a custom tool. */
  const buffered = new Set<number>();
  return (event) => {
    switch (event.type) {
      case 'block-start': {
        if (event.head.type !== 'tool-call') return [event];
        const tool = findTool(tools, event.head.name);
        if (!tool) return [event];
        const isCustom = tool.kind === 'custom' && event.head.kind === 'function';
        if (isCustom) buffered.add(event.choice);
        return [{ ...event, head: { ...event.head, name: tool.name, ...(isCustom && { kind: 'custom' as const }) } }];
      }
      case 'delta':
        return buffered.has(event.choice) ? [] : [event];
      case 'block-end': {
        const block = restoreBlock(event.block, tools);
        const restored = { ...event, block };
        if (!buffered.delete(event.choice) || block.type !== 'tool-call' || block.arguments === '') return [restored];
        return [{ type: 'delta', choice: event.choice, text: block.arguments }, restored];
      }
      case 'start':
      case 'service-tier':
      case 'finish':
      case 'usage':
      case 'ping':
      case 'error':
      case 'end':
        return [event];
    }
  };
}

function restoreBlock(block: ContentBlock, tools: readonly Tool[]): ContentBlock {
  if (block.type !== 'tool-call') return block;
  const tool = findTool(tools, block.name);
  if (!tool) return block;
  if (tool.kind !== 'custom' || block.kind === 'custom') return { ...block, name: tool.name };
  return { ...block, name: tool.name, kind: 'custom', arguments: customInput(block.arguments) };
}
