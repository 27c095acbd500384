import type { PromptDirective } from './media-directives.ts';

const REALTIME = { capability: 'realtime', call: '`response.create`', times: 'always' } as const;

/** Directives with their own meaning on the realtime wire, beside the text directives. */
export const REALTIME_DIRECTIVES = {
  close: {
    ...REALTIME,
    word: '[close:N]',
    effect: 'closes the socket with the code N after the response',
    ending: 'the response, then the close with that code',
  },
  cut: {
    ...REALTIME,
    word: '[cut]',
    effect: 'the connection drops after the first delta, without a close',
    ending: 'an error or a close, never a made-up end',
  },
  flood: {
    ...REALTIME,
    word: '[flood:N]',
    effect: 'N MiB of deltas before the response’s own, no faster than they are read',
    ending: 'N MiB, in constant memory',
  },
  binary: { ...REALTIME, word: '[binary]', effect: 'one binary frame before the response', ending: 'the same frame' },
  garbled: {
    ...REALTIME,
    word: '[garbage]',
    effect: 'one frame before the response that is not JSON',
    ending: 'the same frame',
  },
} as const satisfies Record<string, PromptDirective>;

/** Case-insensitive. */
export function hasRealtimeDirective(text: string, name: 'cut' | 'binary' | 'garbled'): boolean {
  return text.toLowerCase().includes(REALTIME_DIRECTIVES[name].word);
}

/** The N of `[close:N]` (a valid close code) or `[flood:N]`. */
export function realtimeNumber(text: string, name: 'close' | 'flood'): number | undefined {
  const digits = name === 'close' ? String.raw`100[0-38-9]|101[0-4]|[34]\d{3}` : String.raw`\d{1,5}`;
  const found = new RegExp(String.raw`\[${name}:(${digits})\]`, 'i').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Removes the directives that only the realtime wire knows. */
export function withoutRealtimeDirectives(text: string): string {
  return text.replaceAll(/\[close:\d+\]|\[flood:\d+\]|\[binary\]/gi, '');
}
