import { flatToolName } from '../../text/tool-names.ts';

/** Gives calls and answers their ids: this protocol lets clients leave them out, the canonical model does not. */
export interface CallLedger {
  /** The id of the next call. */
  open(id: string | undefined, name: string): string;
  /** The id of the call that the next answer belongs to. */
  response(id: string | undefined, name: string): string;
}

interface OpenCall {
  id: string;
  name: string;
  /** Whether the client told the id. */
  isReported: boolean;
}

/**
 * Makes a ledger for one conversation. A call without id is named by its position and its function, so that the same
 * history gives the same ids; an answer without id belongs to the first open call of its function.
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
      // Some clients make up ids for answers to calls that had none.
      return close((call) => call.id === id) ?? close((call) => byName(call) && !call.isReported) ?? id;
    },
  };
}
