import type { EventSink } from './output-row.ts';

/** Collects events as text, numbered from 0. */
export interface EventText {
  sink: EventSink;
  /** An event about the whole answer. @param response it, as JSON */
  whole(type: string, response: string): void;
  comment(text: string): void;
  /** What has been written since the last time. */
  take(): string;
}

/** No events yet. */
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
      delta: (type, where, chunk) => add(type, `${where},"delta":${JSON.stringify(chunk)}`),
    },
    whole: (type, response) => add(type, `"response":${response}`),
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
