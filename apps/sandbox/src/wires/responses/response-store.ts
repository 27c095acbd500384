import type { Completion } from '../../text/completion.ts';
import { openAiError } from '../openai-style/openai-error.ts';
import type { InputItem } from './input-item.ts';
import type { ResponseObject } from './response-object.ts';

export interface StoredResponse {
  response: ResponseObject;
  reply: Completion;
  /** Includes the conversation of earlier responses. */
  conversation: InputItem[];
  input: InputItem[];
  /** When a background response completes, in Unix milliseconds. */
  readyAt?: number;
  cancelled?: boolean;
  streamed?: boolean;
}

const MAX_RESPONSES = 1000;

export function createResponseStore() {
  const stored = new Map<string, StoredResponse>();
  return {
    add(entry: StoredResponse): void {
      stored.set(entry.response.id, entry);
      const [oldest] = stored.keys();
      if (stored.size > MAX_RESPONSES && oldest !== undefined) stored.delete(oldest);
    },
    find: (id: string) => stored.get(id),
    /** @throws WireError 404 if the response does not exist. */
    mustFind(id: string): StoredResponse {
      const entry = stored.get(id);
      if (entry === undefined) throw openAiError(404, `Response with id '${id}' not found.`);
      return entry;
    },
    item(id: string): InputItem | undefined {
      for (const { response, input } of stored.values()) {
        const match = [...input, ...response.output].find((item) => 'id' in item && item.id === id);
        if (match !== undefined) return match;
      }
      return undefined;
    },
    remove: (id: string) => void stored.delete(id),
  };
}

export type ResponseStore = ReturnType<typeof createResponseStore>;
