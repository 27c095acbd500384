import type { SecretStore } from '../../text/secret-store.ts';
import { invalidParameter, openAiError } from '../openai-style/openai-error.ts';
import type { InputItem } from './input-item.ts';
import type { ResponseStore } from './response-store.ts';

/** The purposes for which this API encrypts values. */
export const REASONING = 'responses reasoning';
export const COMPACTION = 'responses compaction';

const PREFIX: Readonly<Record<string, string>> = {
  message: 'msg_',
  function_call: 'fc_',
  function_call_output: 'fc_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctc_',
  reasoning: 'rs_',
  compaction: 'cmp_',
};

/** Stored messages contain parts, even if the client sent plain text. */
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
  return { ...item, id: `${prefix}${newId()}` };
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

const CALL_NAMES = { function_call: 'function call', custom_tool_call: 'custom tool call' };
const CALL_OF_OUTPUT = { function_call_output: 'function_call', custom_tool_call_output: 'custom_tool_call' } as const;

/** Every tool output must follow its call, and every call must have an output. */
function checkCalls(items: readonly InputItem[]): void {
  const open = new Map<string, keyof typeof CALL_NAMES>();
  const known = new Map<string, string>();
  for (const item of items) {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      open.set(item.call_id, item.type);
      known.set(item.call_id, item.type);
    } else if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      // The output of a program's call has no `call_id`.
      if (!item.call_id) continue;
      const call = CALL_OF_OUTPUT[item.type];
      if (known.get(item.call_id) !== call) {
        const message = `No tool call found for ${CALL_NAMES[call]} output with call_id ${item.call_id}.`;
        throw invalidParameter('input', message);
      }
      open.delete(item.call_id);
    }
  }
  for (const [id, call] of open) {
    throw invalidParameter('input', `No tool output found for ${CALL_NAMES[call]} ${id}.`);
  }
}

const NOT_AFTER_REASONING: ReadonlySet<string | undefined> = new Set([
  undefined,
  ...Object.keys(CALL_OF_OUTPUT),
  'compaction_trigger',
]);

/** A reasoning item must be followed by the model's item that it belongs to. */
function checkReasoning(items: readonly InputItem[]): void {
  for (const [at, item] of items.entries()) {
    if (item.type !== 'reasoning') continue;
    const next = items[at + 1];
    const isModels = next?.type === 'message' ? next.role === 'assistant' : !NOT_AFTER_REASONING.has(next?.type);
    if (isModels) continue;
    const message = `Item '${item.id ?? ''}' of type 'reasoning' was provided without its required following item.`;
    throw invalidParameter('input', message);
  }
}

function checkTrigger(items: readonly InputItem[]): void {
  const at = items.findIndex(({ type }) => type === 'compaction_trigger');
  if (at === -1 || at === items.length - 1) return;
  const message = "Item of type 'compaction_trigger' must be the final input item.";
  throw invalidParameter(`input[${at}]`, message, 'invalid_value');
}

/**
 * Appends the request's items to the conversation of the previous response.
 * @returns the conversation's items, and this request's items with ids and parts.
 * @throws WireError 400 or 404.
 */
export function resolveConversation(
  request: {
    input?: string | InputItem[] | null | undefined;
    previous_response_id?: string | null | undefined;
    store?: boolean | null | undefined;
  },
  { store, secretStore, newId }: { store: ResponseStore; secretStore: SecretStore; newId: () => string },
) {
  const { previous_response_id: previousId } = request;
  const sent = request.input ?? [];
  const previous = previousId ? store.find(previousId) : undefined;
  if (previousId && previous === undefined) {
    const message = `Previous response with id '${previousId}' not found.`;
    throw invalidParameter('previous_response_id', message, 'previous_response_not_found');
  }
  const own: InputItem[] = typeof sent === 'string' ? [{ type: 'message', role: 'user', content: sent }] : sent;
  checkTrigger(own);
  const input = own.map((item) => {
    if (item.type !== 'item_reference') return withId(withParts(item), newId);
    const stored = store.item(item.id);
    if (stored !== undefined) return stored;
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
