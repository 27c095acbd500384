import type { ReasoningBlock, OpaqueToken, ToolCallBlock } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { TextKeys } from '../text-keys.ts';

/** What went with a tool call and its client does not carry. */
export interface RememberedCall {
  /** What was thought before the calls of the turn. */
  reasoning: ReasoningBlock[];
  /** The call's own seal (Gemini's thought signature). */
  seal?: OpaqueToken;
}

/** Reasoning for clients that do not send it back, found again by the ids of the calls that it led to. */
export interface ReasoningMemory {
  /** Keeps a turn's reasoning for 24 h. Never throws; while Redis is away nothing is kept. */
  remember(
    owner: string,
    calls: readonly Pick<ToolCallBlock, 'callId' | 'seal'>[],
    reasoning: readonly ReasoningBlock[],
  ): Promise<void>;
  /** By call id. Never throws and never takes longer than 200 ms; what is not there in time is not known. */
  recall(owner: string, callIds: readonly string[]): Promise<Map<string, RememberedCall>>;
}

const LIFE_SECONDS = 24 * 3_600;
const PATIENCE_MS = 200;
/** Vendors want the reasoning of the latest turns; a conversation may have thousands. */
const MAX_CALLS = 500;

/** A {@link ReasoningMemory} in Redis. */
export function createReasoningMemory(redis: Redis, keys: TextKeys, logger: Pick<Logger, 'warn'>): ReasoningMemory {
  let isSilent = false;

  /** Warns at the first of a row of failures. */
  async function attempt<T>(work: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    });
    try {
      const result = await Promise.race([work, patience]);
      isSilent = false;
      return result;
    } catch (error) {
      if (!isSilent) logger.warn({ err: error }, 'reasoning of tool calls is not remembered for now');
      isSilent = true;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async remember(owner, calls, reasoning) {
      // Sent in one go: the connection pipelines what is written in one tick.
      const writes = calls.flatMap(({ callId, seal }) => {
        if (reasoning.length === 0 && seal === undefined) return [];
        const value: RememberedCall = { reasoning: [...reasoning], ...(seal !== undefined && { seal }) };
        return [redis.set(keys.reasoning(owner, callId), JSON.stringify(value), 'EX', LIFE_SECONDS)];
      });
      if (writes.length > 0) await attempt(Promise.all(writes));
    },

    async recall(owner, callIds) {
      const asked = [...new Set(callIds)].slice(-MAX_CALLS);
      if (asked.length === 0) return new Map();
      const found = (await attempt(redis.mget(asked.map((callId) => keys.reasoning(owner, callId))))) ?? [];
      const remembered = new Map<string, RememberedCall>();
      for (const [index, callId] of asked.entries()) {
        const value = found[index];
        if (typeof value === 'string') remembered.set(callId, JSON.parse(value) as RememberedCall); // written above
      }
      return remembered;
    },
  };
}
