import type { EventSink } from './output-items.ts';

/** Collects numbered events as text. */
export interface EventText {
  sink: EventSink;
  /** An event that holds the response. @param response as JSON */
  response(type: string, response: string): void;
  comment(text: string): void;
  /** Returns the text since the last call. */
  take(): string;
}

export function createEventText(): EventText {
  let text = '';
  let number = 0;

  /** @param members JSON without braces */
  function add(type: string, members: string): void {
    text += `event: ${type}\ndata: {"type":"${type}","sequence_number":${number++},${members}}\n\n`;
  }

  return {
    sink: {
      event: (type, fields) => add(type, JSON.stringify(fields).slice(1, -1)),
      delta: (type, members, chunk) => add(type, `${members},"delta":${JSON.stringify(chunk)}`),
    },
    response: (type, response) => add(type, `"response":${response}`),
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
