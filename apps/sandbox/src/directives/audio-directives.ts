import type { PromptDirective } from './media-directives.ts';

/** The words that mean something of their own on the audio wire; the others are those of the text wires. */
export const AUDIO_DIRECTIVES = {
  long: {
    word: '[long:N]',
    capability: 'speech',
    call: 'speech',
    times: 'always',
    effect: 'goes on until there are N MiB of sound; made as they are sent',
    ending: 'N MiB',
  },
} as const satisfies Record<string, PromptDirective>;
