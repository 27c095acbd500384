import type { ToolCallBlock } from '@sluice/canonical';

/** The tool calls of a conversation, so that a result without an id finds its call. */
export interface CallHistory {
  add(call: ToolCallBlock): void;
  find(callId: string): ToolCallBlock | undefined;
  /** Removes the oldest call without a result. @param name only calls of this tool */
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
