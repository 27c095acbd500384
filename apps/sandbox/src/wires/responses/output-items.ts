import type { Answer } from '../../text/answer.ts';
import type { Vault } from '../../text/vault.ts';
import type { InputItem } from './input-item.ts';
import { COMPACTION, REASONING } from './resolve-conversation.ts';

/** What the items of an answer need. */
export interface ItemSource {
  vault: Vault;
  newId: () => string;
  /** Whether reasoning is told in a summary. */
  summarises: boolean;
}

/** An item that the wire gives out. */
export type OutputItem = Extract<
  InputItem,
  { type: 'message' | 'reasoning' | 'function_call' | 'custom_tool_call' | 'compaction' }
>;

function messageItem(answer: Answer, id: string): OutputItem {
  const status = answer.finish === 'length' ? 'incomplete' : 'completed';
  const part =
    answer.finish === 'refusal'
      ? { type: 'refusal' as const, refusal: answer.text }
      : { type: 'output_text' as const, text: answer.text, annotations: [], logprobs: [] };
  return { id, type: 'message', status, role: 'assistant', content: [part] };
}

/** The items of an answer: reasoning, then what it says or calls. */
export function outputItems(answer: Answer, { vault, newId, summarises }: ItemSource): OutputItem[] {
  const items: OutputItem[] = [];
  if (answer.reasoning !== undefined) {
    const shown = summarises && !answer.redacted;
    items.push({
      id: `rs_${newId()}`,
      type: 'reasoning',
      summary: shown ? [{ type: 'summary_text', text: answer.reasoning }] : [],
      encrypted_content: vault.seal(REASONING, answer.reasoning),
    });
  }
  for (const { kind, name, namespace, input } of answer.calls) {
    const common = { call_id: `call_${newId().slice(0, 24)}`, name, ...(namespace !== undefined && { namespace }) };
    items.push(
      kind === 'custom'
        ? { id: `ctc_${newId()}`, type: 'custom_tool_call', status: 'completed', ...common, input }
        : { id: `fc_${newId()}`, type: 'function_call', status: 'completed', ...common, arguments: input },
    );
  }
  const silent = answer.calls.length > 0 || answer.finish === 'filter';
  if (!silent) items.push(messageItem(answer, `msg_${newId()}`));
  return items;
}

/** The item that stands for a conversation, readable by this wire alone. */
export function compactionItem(
  turns: number,
  text: string,
  { vault, newId }: Pick<ItemSource, 'vault' | 'newId'>,
): OutputItem {
  return {
    id: `cmp_${newId()}`,
    type: 'compaction',
    encrypted_content: vault.seal(COMPACTION, JSON.stringify({ turns, text })),
  };
}
