import type { ToolCallBlock } from '@sluice/canonical';

/** Remembers the calls of a conversation, so that results find theirs. */
export interface CallBook {
  add(call: ToolCallBlock): void;
  /** The call of that id. */
  find(callId: string): ToolCallBlock | undefined;
  /** The oldest call without a result, for clients whose results name no id; of that name, where one is given. */
  takeOldest(name?: string): ToolCallBlock | undefined;
  /** Marks a call as answered. */
  response(callId: string): void;
}

/** Makes an empty book. */
export function createCallBook(): CallBook {
  const calls = new Map<string, ToolCallBlock>();
  const open = new Set<string>();
  return {
    add: (call) => {
      calls.set(call.callId, call);
      open.add(call.callId);
    },
    find: (callId) => calls.get(callId),
    takeOldest: (name) => {
      for (const callId of open) {
        const call = calls.get(callId);
        if (!call || (name !== undefined && call.name !== name)) continue;
        open.delete(callId);
        return call;
      }
      return undefined;
    },
    response: (callId) => {
      open.delete(callId);
    },
  };
}
