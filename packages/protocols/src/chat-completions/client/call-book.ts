import type { ToolCallBlock } from '@sluice/canonical';

/** Remembers the tool calls of a conversation, so that results without an id find their call. */
export interface CallBook {
  add(call: ToolCallBlock): void;
  find(callId: string): ToolCallBlock | undefined;
  /** The oldest call without a result. @param name only calls of this tool */
  takeOldest(name?: string): ToolCallBlock | undefined;
  markAnswered(callId: string): void;
}

export function createCallBook(): CallBook {
  const calls = new Map<string, ToolCallBlock>();
  const unanswered = new Set<string>();
  return {
    add: (call) => {
      calls.set(call.callId, call);
      unanswered.add(call.callId);
    },
    find: (callId) => calls.get(callId),
    takeOldest: (name) => {
      for (const callId of unanswered) {
        const call = calls.get(callId);
        if (!call || (name !== undefined && call.name !== name)) continue;
        unanswered.delete(callId);
        return call;
      }
      return undefined;
    },
    markAnswered: (callId) => {
      unanswered.delete(callId);
    },
  };
}
