/** One server-sent event. */
export interface ServerEvent {
  event: string | undefined;
  data: string;
  /** The event's lines, as they were received. */
  raw: string;
}

/**
 * Splits the text of an event stream into events. Comments, such as keep-alives, are events without data.
 * @returns a function that takes the next piece of text, and returns the events that it completes
 */
export function createEventSplitter(): (piece: string) => ServerEvent[] {
  let rest = '';
  return (piece) => {
    rest += piece;
    // A line break at the end may be the first half of `\r\n`.
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    return blocks.filter((block) => block !== '').map(eventOf);
  };
}

function eventOf(raw: string): ServerEvent {
  const lines = raw.split(/\r?\n/);
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  return { event: valuesOf('event')[0], data: valuesOf('data').join('\n'), raw };
}
