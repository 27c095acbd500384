import type { Completion } from '../../text/completion.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import type { InputItem } from './input-item.ts';
import { COMPACTION, REASONING } from './resolve-conversation.ts';

export interface ItemSource {
  secretStore: SecretStore;
  newId: () => string;
  summarizes: boolean;
}

export type OutputItem = Extract<
  InputItem,
  { type: 'message' | 'reasoning' | 'function_call' | 'custom_tool_call' | 'compaction' }
>;

function messageItem(response: Completion, id: string): OutputItem {
  const status = response.finish === 'length' ? 'incomplete' : 'completed';
  const part =
    response.finish === 'refusal'
      ? { type: 'refusal' as const, refusal: response.text }
      : { type: 'output_text' as const, text: response.text, annotations: [], logprobs: [] };
  return { id, type: 'message', status, role: 'assistant', content: [part] };
}

export function outputItems(response: Completion, { secretStore, newId, summarizes }: ItemSource): OutputItem[] {
  const items: OutputItem[] = [];
  if (response.reasoning !== undefined) {
    const shown = summarizes && !response.redacted;
    items.push({
      id: `rs_${newId()}`,
      type: 'reasoning',
      summary: shown ? [{ type: 'summary_text', text: response.reasoning }] : [],
      encrypted_content: secretStore.encrypt(REASONING, response.reasoning),
    });
  }
  for (const { kind, name, namespace, input } of response.calls) {
    const common = { call_id: `call_${newId().slice(0, 24)}`, name, namespace };
    items.push(
      kind === 'custom'
        ? { id: `ctc_${newId()}`, type: 'custom_tool_call', status: 'completed', ...common, input }
        : { id: `fc_${newId()}`, type: 'function_call', status: 'completed', ...common, arguments: input },
    );
  }
  const hasNoText = response.calls.length > 0 || response.finish === 'filter';
  if (!hasNoText) items.push(messageItem(response, `msg_${newId()}`));
  return items;
}

/** Creates an item that replaces a conversation. Only this API can decrypt it. */
export function compactionItem(
  turns: number,
  text: string,
  { secretStore, newId }: Pick<ItemSource, 'secretStore' | 'newId'>,
): OutputItem {
  return {
    id: `cmp_${newId()}`,
    type: 'compaction',
    encrypted_content: secretStore.encrypt(COMPACTION, JSON.stringify({ turns, text })),
  };
}
