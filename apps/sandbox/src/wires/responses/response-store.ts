import type { Completion } from '../../text/completion.ts';
import { openAiError } from '../openai-style/openai-error.ts';
import type { InputItem } from './input-item.ts';
import type { ResponseObject } from './response-object.ts';

export interface StoredResponse {
  response: ResponseObject;
  reply: Completion;
  /** Includes earlier responses. */
  conversation: InputItem[];
  /** Items that this request added. */
  input: InputItem[];
  /** Of a background response, in Unix milliseconds. */
  readyAt?: number;
  cancelled?: boolean;
  streamed?: boolean;
}

export interface ResponseStore {
  keep(stored: StoredResponse): void;
  find(id: string): StoredResponse | undefined;
  /** @throws WireError 404. */
  mustFind(id: string): StoredResponse;
  item(id: string): InputItem | undefined;
  remove(id: string): void;
}

const KEPT = 1000;

export function createResponseStore(): ResponseStore {
  const kept = new Map<string, StoredResponse>();
  return {
    keep(stored) {
      kept.set(stored.response.id, stored);
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    },
    find: (id) => kept.get(id),
    mustFind(id) {
      const found = kept.get(id);
      if (found === undefined) throw openAiError(404, `Response with id '${id}' not found.`);
      return found;
    },
    item(id) {
      for (const { response, input } of kept.values()) {
        const found = [...input, ...response.output].find((item) => 'id' in item && item.id === id);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    remove: (id) => void kept.delete(id),
  };
}
