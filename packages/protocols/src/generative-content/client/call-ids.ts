import { flatToolName } from '../../text/tool-names.ts';

/** Assigns ids to calls and their responses, because clients can omit them. */
export interface CallIds {
  open(id: string | undefined, name: string): string;
  /** Returns the id of the call that this response belongs to. */
  close(id: string | undefined, name: string): string;
}

interface OpenCall {
  id: string;
  name: string;
  /** Whether the gateway generated the id because the client sent none. */
  isGenerated: boolean;
}

/**
 * A generated id depends on the call's position and function, so the same history yields the same ids. A response
 * without an id belongs to the first open call of its function.
 */
export function createCallIds(): CallIds {
  const openCalls: OpenCall[] = [];
  let position = 0;

  function remove(matches: (call: OpenCall) => boolean): string | undefined {
    const index = openCalls.findIndex(matches);
    return index === -1 ? undefined : openCalls.splice(index, 1)[0]?.id;
  }

  return {
    open(sentId, name) {
      const id = sentId ?? `call_${position}_${flatToolName(name)}`.slice(0, 64);
      position += 1;
      openCalls.push({ id, name, isGenerated: sentId === undefined });
      return id;
    },
    close(id, name) {
      const hasName = (call: OpenCall) => call.name === name;
      if (id === undefined) return remove(hasName) ?? `call_unknown_${flatToolName(name)}`.slice(0, 64);
      // Some clients generate ids for responses to calls that had no id.
      return remove((call) => call.id === id) ?? remove((call) => hasName(call) && call.isGenerated) ?? id;
    },
  };
}
