import { useEffect, useRef, useState } from 'react';
import { type Exchange, sendExchange } from '../exchange/exchange.ts';
import { shownError } from '../exchange/shown-error.ts';
import {
  type ApiRequest,
  type ChatSettings,
  type Reply,
  type TextProtocol,
  type ToolCall,
  type ToolResult,
  type Turn,
} from '../protocols/text-protocol.ts';

export interface Conversation {
  turns: readonly Turn[];
  /** The response so far. Undefined if no request is running. */
  draft: Reply | undefined;
  error: Error | undefined;
  /** The last request and its response. */
  exchange: Exchange | undefined;
}

const EMPTY: Conversation = { turns: [], draft: undefined, error: undefined, exchange: undefined };

/** A conversation with one model. A failed request keeps its turn, so that it can be sent again. */
export function useConversation() {
  const [state, setState] = useState(EMPTY);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (turns: readonly Turn[], protocol: TextProtocol, settings: ChatSettings): Promise<void> => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    const reader = protocol.createReader();
    const show = (more: Partial<Conversation>): void => {
      if (running.current === stop) setState((now) => ({ ...now, ...more }));
    };
    show({ turns, draft: { ...reader.reply }, error: undefined });
    try {
      const request: ApiRequest = protocol.createRequest(settings, turns);
      const [exchange] = await sendExchange(request, {
        signal: stop.signal,
        onUpdate: (now) => show({ exchange: now, draft: { ...reader.reply } }),
        onEvent: ({ data }) => {
          if (data !== '' && data !== '[DONE]') reader.event(JSON.parse(data));
        },
      });
      if (exchange.body !== undefined) reader.body(JSON.parse(exchange.body));
      show({ turns: [...turns, { role: 'assistant', reply: reader.reply }], draft: undefined });
    } catch (error) {
      if (stop.signal.aborted) return;
      show({ draft: undefined, error: shownError(error), ...keep(reader.reply, turns) });
    }
  };

  return {
    ...state,
    send: (turn: Turn, protocol: TextProtocol, settings: ChatSettings) =>
      run([...state.turns, turn], protocol, settings),
    /** Begins a conversation without the turns before. */
    start: (turn: Turn, protocol: TextProtocol, settings: ChatSettings) => run([turn], protocol, settings),
    retry: (protocol: TextProtocol, settings: ChatSettings) => run(withoutReply(state.turns), protocol, settings),
    sendResults: (results: readonly ToolResult[], protocol: TextProtocol, settings: ChatSettings) =>
      run([...state.turns, { role: 'tool', results }], protocol, settings),
    /** Ends the running request, and keeps what has arrived. */
    stop: () => {
      running.current?.abort();
      running.current = undefined;
      setState(({ draft, ...now }) => ({
        ...now,
        draft: undefined,
        turns:
          draft && draft.text !== '' ? [...now.turns, { role: 'assistant', reply: withoutCalls(draft) }] : now.turns,
      }));
    },
    clear: () => {
      running.current?.abort();
      running.current = undefined;
      setState(EMPTY);
    },
  };
}

export type ConversationControls = ReturnType<typeof useConversation>;

/** Returns the tool calls whose results the model waits for. A failed request is sent again before them. */
export function pendingCalls({ turns, draft, error }: Conversation): readonly ToolCall[] {
  const last = turns.at(-1);
  return !draft && !error && last?.role === 'assistant' ? last.reply.toolCalls : [];
}

/** Shows the part of a response that arrived before an error. */
function keep(reply: Reply, turns: readonly Turn[]): Partial<Conversation> {
  if (reply.text === '' && reply.reasoning === '') return {};
  return { turns: [...turns, { role: 'assistant', reply: withoutCalls(reply) }] };
}

/** Tool calls of an incomplete response have no valid arguments. */
function withoutCalls({ native: _native, ...reply }: Reply): Reply {
  return { ...reply, toolCalls: [] };
}

function withoutReply(turns: readonly Turn[]): readonly Turn[] {
  return turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
}
