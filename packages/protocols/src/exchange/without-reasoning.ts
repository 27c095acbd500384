import { isRecord } from '../json/is-record.ts';
import type { JsonObject } from '../json/values.ts';
import { exactBody } from './relay-edits.ts';
import { type TextRequest, withBody } from './text-request.ts';

const REASONING: ReadonlySet<unknown> = new Set(['reasoning', 'thinking', 'redacted_thinking']);

/**
 * Returns the request without the reasoning of earlier turns, which only the account that created it can read.
 * @returns undefined if the request has no reasoning
 */
export function withoutReasoning(request: TextRequest): TextRequest | undefined {
  const body = exactBody(request);
  const list = request.protocol.name === 'responses' ? 'input' : 'messages';
  const turns = body[list];
  if (!Array.isArray(turns)) return undefined;
  const remaining = turns
    .filter((turn) => !isReasoning(turn))
    .map(withoutBlocks)
    .filter((turn) => !isEmpty(turn));
  const isChanged = remaining.length < turns.length || remaining.some((turn, at) => turn !== turns[at]);
  if (!isChanged) return undefined;
  const edited = request.protocol.name === 'responses' ? remaining.map(withoutId) : remaining;
  return withBody(request, { ...body, [list]: edited });
}

function isReasoning(value: unknown): boolean {
  return isRecord(value) && REASONING.has(value['type']);
}

function withoutBlocks(turn: unknown): unknown {
  if (!isRecord(turn) || !Array.isArray(turn['content'])) return turn;
  const content = turn['content'].filter((block) => !isReasoning(block));
  return content.length === turn['content'].length ? turn : { ...turn, content };
}

function isEmpty(turn: unknown): boolean {
  return isRecord(turn) && Array.isArray(turn['content']) && turn['content'].length === 0;
}

const OUTPUT_CALLS: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call']);

/** OpenAI rejects an output item with an id if its reasoning item is missing. */
function withoutId(item: unknown): unknown {
  if (!isRecord(item) || !(OUTPUT_CALLS.has(item['type']) || item['role'] === 'assistant')) return item;
  const { id: _id, ...rest }: JsonObject = item;
  return rest;
}
