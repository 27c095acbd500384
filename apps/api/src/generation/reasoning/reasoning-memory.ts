import type { ReasoningBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { TextKeys } from './text-keys.ts';

/** The parts of a tool call that the client's protocol does not support. */
export interface RememberedCall {
  reasoning: ReasoningBlock[];
  /** Gemini's thought signature. */
  opaqueToken?: OpaqueToken;
}

/** Stores reasoning for clients that do not send it back. The key is the id of the tool call that followed it. */
export interface ReasoningMemory {
  /** Stores a turn's reasoning for 24 hours. Never throws. Nothing is stored while Redis is down. */
  remember(
    owner: string,
    calls: readonly Pick<ToolCallBlock, 'callId' | 'opaqueToken'>[],
    reasoning: readonly ReasoningBlock[],
  ): Promise<void>;
  /**
   * Returns the stored parts by call id. Never throws and returns within 200 ms. Entries that cannot be read in time
   * are missing.
   */
  recall(owner: string, callIds: readonly string[]): Promise<Map<string, RememberedCall>>;
}

const LIFE_SECONDS = 24 * 3_600;
const TIMEOUT_MS = 200;
/** A conversation may have thousands of calls, but vendors only require the reasoning of the latest turns. */
const MAX_CALLS = 500;

export function createReasoningMemory(redis: Redis, keys: TextKeys, logger: Pick<Logger, 'warn'>): ReasoningMemory {
  let isFailing = false;

  /** Returns undefined after a failure or timeout. Logs only the first of several consecutive failures. */
  async function attempt<T>(work: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no response within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    });
    try {
      const result = await Promise.race([work, timeout]);
      isFailing = false;
      return result;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'reasoning of tool calls could not be stored');
      isFailing = true;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async remember(owner, calls, reasoning) {
      const writes = calls.flatMap(({ callId, opaqueToken }) => {
        if (reasoning.length === 0 && opaqueToken === undefined) return [];
        const value: RememberedCall = { reasoning: [...reasoning], ...(opaqueToken !== undefined && { opaqueToken }) };
        return [redis.set(keys.reasoning(owner, callId), JSON.stringify(value), 'EX', LIFE_SECONDS)];
      });
      if (writes.length > 0) await attempt(Promise.all(writes));
    },

    async recall(owner, callIds) {
      const ids = [...new Set(callIds)].slice(-MAX_CALLS);
      if (ids.length === 0) return new Map();
      const values = (await attempt(redis.mget(ids.map((callId) => keys.reasoning(owner, callId))))) ?? [];
      const remembered = new Map<string, RememberedCall>();
      for (const [index, callId] of ids.entries()) {
        const value = values[index];
        if (typeof value === 'string') remembered.set(callId, parseCall(value));
      }
      return remembered;
    },
  };
}

/** Versions before 0.2 stored `opaqueToken` as `seal`. */
type Stored<T> = T & { seal?: OpaqueToken };

function parseCall(text: string): RememberedCall {
  const call = JSON.parse(text) as Stored<RememberedCall>; // The cast is safe because `remember` wrote this value.
  return { ...withToken(call), reasoning: call.reasoning.map(withToken) };
}

function withToken<T extends { opaqueToken?: OpaqueToken }>({ seal, ...value }: Stored<T>): Omit<Stored<T>, 'seal'> {
  return seal === undefined ? value : { ...value, opaqueToken: seal };
}
