import type { ToolCallBlock } from '@sluice/canonical';

/** Tracks a conversation's tool calls, so that a result without an id can be matched to its call. */
export interface CallHistory {
  add(call: ToolCallBlock): void;
  find(callId: string): ToolCallBlock | undefined;
  /** Removes and returns the oldest call without a result. @param name considers only calls to this tool */
  takeOldest(name?: string): ToolCallBlock | undefined;
  markResolved(callId: string): void;
}

export function createCallHistory(): CallHistory {
  const calls = new Map<string, ToolCallBlock>();
  const unresolved = new Set<string>();
  return {
    add: (call) => {
      calls.set(call.callId, call);
      unresolved.add(call.callId);
    },
    find: (callId) => calls.get(callId),
    takeOldest: (name) => {
      for (const callId of unresolved) {
        const call = calls.get(callId);
        if (!call || (name !== undefined && call.name !== name)) continue;
        unresolved.delete(callId);
        return call;
      }
      return undefined;
    },
    markResolved: (callId) => {
      unresolved.delete(callId);
    },
  };
}
