import { hasWord, numberIn, type PromptDirective } from './prompt-directive.ts';

function realtime(word: string, effect: string, ending: string): PromptDirective {
  return { capability: 'realtime', call: '`response.create`', times: 'always', word, effect, ending };
}

/** Directives with their own meaning on the realtime wire, beside the text directives. */
export const REALTIME_DIRECTIVES = {
  close: realtime(
    '[close:N]',
    'closes the socket with the code N after the response',
    'the response, then the close with that code',
  ),
  cut: realtime(
    '[cut]',
    'the connection drops after the first delta, without a close',
    'an error or a close, never a made-up end',
  ),
  flood: realtime(
    '[flood:N]',
    'N MiB of deltas before the response’s own, no faster than they are read',
    'N MiB, in constant memory',
  ),
  binary: realtime('[binary]', 'one binary frame before the response', 'the same frame'),
  garbled: realtime('[garbage]', 'one frame before the response that is not JSON', 'the same frame'),
};

export function hasRealtimeDirective(text: string, name: 'cut' | 'binary' | 'garbled'): boolean {
  return hasWord(text, REALTIME_DIRECTIVES[name]);
}

/** The N of `[close:N]` (a valid close code) or `[flood:N]`. */
export function realtimeNumber(text: string, name: 'close' | 'flood'): number | undefined {
  return numberIn(text, name, name === 'close' ? String.raw`100[0-38-9]|101[0-4]|[34]\d{3}` : String.raw`\d{1,5}`);
}

export function withoutRealtimeDirectives(text: string): string {
  return text.replaceAll(/\[close:\d+\]|\[flood:\d+\]|\[binary\]/gi, '');
}
