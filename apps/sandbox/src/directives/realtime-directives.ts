import { hasWord, numberIn, type PromptDirective } from './prompt-directive.ts';

function realtime(word: string, effect: string, ending: string): PromptDirective {
  return { capability: 'realtime', call: '`response.create`', times: 'every call', word, effect, ending };
}

/** Directives that only the realtime API supports. It also supports the text directives. */
export const REALTIME_DIRECTIVES = {
  close: realtime(
    '[close:N]',
    'closes the socket with the code N after the response',
    'the response, and then a close with this code',
  ),
  cut: realtime(
    '[cut]',
    'breaks the connection after the first delta, without a close frame',
    'an error or a close, because the response must not look complete',
  ),
  flood: realtime(
    '[flood:N]',
    'sends N MiB of deltas before the response, as fast as the client reads them',
    'N MiB of deltas, in constant memory',
  ),
  binary: realtime('[binary]', 'sends one binary frame before the response', 'the same frame'),
  garbled: realtime('[garbage]', 'sends one frame that is not JSON before the response', 'the same frame'),
};

export function hasRealtimeDirective(text: string, name: 'cut' | 'binary' | 'garbled'): boolean {
  return hasWord(text, REALTIME_DIRECTIVES[name]);
}

/** Returns the N of `[close:N]` (a valid close code) or `[flood:N]`. */
export function realtimeNumber(text: string, name: 'close' | 'flood'): number | undefined {
  return numberIn(text, name, name === 'close' ? String.raw`100[0-38-9]|101[0-4]|[34]\d{3}` : String.raw`\d{1,5}`);
}

export function withoutRealtimeDirectives(text: string): string {
  return text.replaceAll(/\[close:\d+\]|\[flood:\d+\]|\[binary\]/gi, '');
}
