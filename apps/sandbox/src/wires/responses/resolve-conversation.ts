import type { SecretStore } from '../../text/secret-store.ts';
import { invalidParameter, openAiError } from '../openai-style/openai-error.ts';
import type { InputItem } from './input-item.ts';
import type { ResponseStore } from './response-store.ts';

/** Encryption purposes on this wire. */
export const REASONING = 'responses reasoning';
export const COMPACTION = 'responses compaction';

export interface Conversation {
  /** Includes earlier responses. */
  items: InputItem[];
  /** Items of this request, with ids and parts. */
  input: InputItem[];
}

const PREFIX: Readonly<Record<string, string>> = {
  message: 'msg_',
  function_call: 'fc_',
  function_call_output: 'fc_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctc_',
  reasoning: 'rs_',
  compaction: 'cmp_',
};

/** Stored messages have parts, even if sent as plain text. */
function withParts(item: InputItem): InputItem {
  if (item.type !== 'message' || typeof item.content !== 'string') return item;
  const text = item.content;
  return item.role === 'assistant'
    ? { ...item, content: [{ type: 'output_text', text, annotations: [] }] }
    : { ...item, content: [{ type: 'input_text', text }] };
}

function withId(item: InputItem, newId: () => string): InputItem {
  const prefix = PREFIX[item.type];
  if (prefix === undefined || ('id' in item && item.id)) return item;
  // The prefix matches the item's type.
  return { ...item, id: `${prefix}${newId()}` } as InputItem;
}

function checkEncryptedContent(items: readonly InputItem[], secretStore: SecretStore): void {
  for (const item of items) {
    if (item.type !== 'reasoning' && item.type !== 'compaction') continue;
    const ciphertext = item.encrypted_content;
    if (!ciphertext) continue;
    if (secretStore.decrypt(item.type === 'reasoning' ? REASONING : COMPACTION, ciphertext) !== undefined) continue;
    const shown = ciphertext.length > 12 ? `${ciphertext.slice(0, 4)}...${ciphertext.slice(-4)}` : ciphertext;
    const message = `The encrypted content ${shown} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
    throw openAiError(400, message, { code: 'invalid_encrypted_content' });
  }
}

function isCall(item: InputItem): item is Extract<InputItem, { type: 'function_call' | 'custom_tool_call' }> {
  return item.type === 'function_call' || item.type === 'custom_tool_call';
}

function isOutput(
  item: InputItem,
): item is Extract<InputItem, { type: 'function_call_output' | 'custom_tool_call_output' }> {
  return item.type === 'function_call_output' || item.type === 'custom_tool_call_output';
}

/** Every output follows its call, and every call has an output. */
function checkCalls(items: readonly InputItem[]): void {
  const open = new Map<string, string>();
  const known = new Map<string, string>();
  for (const item of items) {
    if (isCall(item)) {
      open.set(item.call_id, item.type);
      known.set(item.call_id, item.type);
    } else if (isOutput(item)) {
      const call = item.type === 'function_call_output' ? 'function_call' : 'custom_tool_call';
      if (known.get(item.call_id) !== call) {
        const kind = call === 'function_call' ? 'function call' : 'custom tool call';
        throw invalidParameter('input', `No tool call found for ${kind} output with call_id ${item.call_id}.`);
      }
      open.delete(item.call_id);
    }
  }
  const [first] = open;
  if (first === undefined) return;
  const kind = first[1] === 'function_call' ? 'function call' : 'custom tool call';
  throw invalidParameter('input', `No tool output found for ${kind} ${first[0]}.`);
}

/** A reasoning item precedes the item it led to. */
function checkReasoning(items: readonly InputItem[]): void {
  for (const [at, item] of items.entries()) {
    if (item.type !== 'reasoning') continue;
    const next = items[at + 1];
    const follows =
      next !== undefined &&
      !isOutput(next) &&
      !(next.type === 'message' && next.role !== 'assistant') &&
      next.type !== 'compaction_trigger';
    if (follows) continue;
    const message = `Item '${item.id ?? ''}' of type 'reasoning' was provided without its required following item.`;
    throw invalidParameter('input', message);
  }
}

function checkTrigger(items: readonly InputItem[]): void {
  const at = items.findIndex(({ type }) => type === 'compaction_trigger');
  if (at === -1 || at === items.length - 1) return;
  throw invalidParameter(
    `input[${at}]`,
    "Item of type 'compaction_trigger' must be the final input item.",
    'invalid_value',
  );
}

/**
 * Combines the previous response's conversation with the request's own items.
 * @throws WireError 400 or 404.
 */
export function resolveConversation(
  request: {
    input?: string | InputItem[] | undefined;
    previous_response_id?: string | null | undefined;
    store?: boolean | null | undefined;
  },
  { store, secretStore, newId }: { store: ResponseStore; secretStore: SecretStore; newId: () => string },
): Conversation {
  const { input: given = [], previous_response_id: previousId } = request;
  const previous = previousId ? store.find(previousId) : undefined;
  if (previousId && previous === undefined) {
    const message = `Previous response with id '${previousId}' not found.`;
    throw invalidParameter('previous_response_id', message, 'previous_response_not_found');
  }
  const own: InputItem[] = typeof given === 'string' ? [{ type: 'message', role: 'user', content: given }] : given;
  checkTrigger(own);
  const input = own.map((item) => {
    if (item.type !== 'item_reference') return withId(withParts(item), newId);
    const found = store.item(item.id);
    if (found !== undefined) return found;
    const hint =
      request.store === false
        ? ' Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.'
        : '';
    throw openAiError(404, `Item with id '${item.id}' not found.${hint}`, { param: 'input' });
  });
  const items = [...(previous?.conversation ?? []), ...(previous?.response.output ?? []), ...input];
  checkEncryptedContent(items, secretStore);
  checkCalls(items);
  checkReasoning(items);
  return { items, input };
}
