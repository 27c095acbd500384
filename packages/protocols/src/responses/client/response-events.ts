import type { ResponseContext } from '../../contracts/text-protocol.ts';
import type { EventSink } from './output-items.ts';
import { responseIdOf, responseInState, type ResponseObject, type ResponseState } from './response-object.ts';

/** An event of a response's stream, without its number. */
export interface ResponseEvent {
  type: string;
  /** Its JSON after the number, without braces. */
  members: string;
}

export function encodeResponseEvent({ type, members }: ResponseEvent, number: number): string {
  return `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${members}}\n\n`;
}

const ENCODED = /^event: ([\w.]+)\ndata: \{"type":"[\w.]+","sequence_number":\d+,(.*)\}\n*$/s;

/** Reads an event that {@link encodeResponseEvent} has written. Undefined for a comment. */
export function parseResponseEvent(text: string): ResponseEvent | undefined {
  const [, type, members] = ENCODED.exec(text) ?? [];
  return type === undefined || members === undefined ? undefined : { type, members };
}

/** Returns the event that contains a response. @param type without `response.` */
export function responseEvent(type: string, response: ResponseObject): ResponseEvent {
  return { type: `response.${type}`, members: `"response":${JSON.stringify(response)}` };
}

/** Collects a response's numbered events as text. */
export interface ResponseEvents {
  readonly id: string;
  readonly sink: EventSink;
  /** Sends the initial events, unless they were already sent. */
  start(): void;
  /** Sends the response in its final state. */
  end(state: ResponseState): void;
  comment(text: string): void;
  /** Returns the text added since the last call. */
  take(): string;
}

export function createResponseEvents(context: ResponseContext): ResponseEvents {
  const id = responseIdOf(context);
  let text = '';
  let number = 0;
  let isStarted = false;

  /** @param members JSON without braces */
  function add(type: string, members: string): void {
    text += encodeResponseEvent({ type, members }, number++);
  }

  const encode = (state: ResponseState) => `"response":${JSON.stringify(responseInState(context, id, state))}`;

  return {
    id,
    sink: {
      event: (type, fields) => add(type, JSON.stringify(fields).slice(1, -1)),
      delta: (type, members, chunk) => add(type, `${members},"delta":${JSON.stringify(chunk)}`),
    },
    start: () => {
      if (isStarted) return;
      isStarted = true;
      const response = encode({ status: 'in_progress' });
      add('response.created', response);
      add('response.in_progress', response);
    },
    end: (state) => add(`response.${state.status}`, encode(state)),
    comment: (comment) => {
      text += comment;
    },
    take: () => {
      const taken = text;
      text = '';
      return taken;
    },
  };
}
