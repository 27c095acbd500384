import { flatToolName } from '../../text/tool-names.ts';

/**
 * Assigns ids to calls and their responses. This protocol lets clients omit them; the canonical model requires them.
 */
export interface CallLedger {
  open(id: string | undefined, name: string): string;
  /** Returns the id of the call that the next response belongs to. */
  response(id: string | undefined, name: string): string;
}

interface OpenCall {
  id: string;
  name: string;
  /** Whether the client sent the id. */
  isReported: boolean;
}

/**
 * Creates a ledger for one conversation. The id of a call without one comes from its position and function, so the same
 * history yields the same ids. A response without an id belongs to the first open call of its function.
 */
export function createCallLedger(): CallLedger {
  const unanswered: OpenCall[] = [];
  let position = 0;

  function close(fits: (call: OpenCall) => boolean): string | undefined {
    const index = unanswered.findIndex(fits);
    return index === -1 ? undefined : unanswered.splice(index, 1)[0]?.id;
  }

  return {
    open(id, name) {
      const given = id ?? `call_${position}_${flatToolName(name)}`.slice(0, 64);
      position += 1;
      unanswered.push({ id: given, name, isReported: id !== undefined });
      return given;
    },
    response(id, name) {
      const byName = (call: OpenCall) => call.name === name;
      if (id === undefined) return close(byName) ?? `call_unknown_${flatToolName(name)}`.slice(0, 64);
      // Some clients invent ids for responses to calls that had none.
      return close((call) => call.id === id) ?? close((call) => byName(call) && !call.isReported) ?? id;
    },
  };
}
