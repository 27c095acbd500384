import type { PromptDirective } from './media-directives.ts';

/** Overrides of the text directives on the audio wire. */
export const AUDIO_DIRECTIVES = {
  long: {
    word: '[long:N]',
    capability: 'speech',
    call: 'speech',
    times: 'always',
    effect: 'generates N MiB of audio while sending',
    ending: 'N MiB',
  },
} as const satisfies Record<string, PromptDirective>;
