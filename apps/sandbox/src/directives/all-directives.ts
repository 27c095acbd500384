import { MEDIA_DIRECTIVES } from './media-directives.ts';
import type { PromptDirective } from './prompt-directive.ts';
import { REALTIME_DIRECTIVES } from './realtime-directives.ts';
import { TEXT_DIRECTIVES } from './text-directives.ts';

/** The meaning of `[long:N]` on the audio wire. */
const LONG_SPEECH: PromptDirective = {
  word: '[long:N]',
  capability: 'speech',
  call: 'speech',
  times: 'always',
  effect: 'generates N MiB of audio while sending',
  ending: 'N MiB',
};

/** All directives, in the order of `docs/extend/sandbox.md`. */
export const ALL_DIRECTIVES: readonly PromptDirective[] = [
  ...Object.values(MEDIA_DIRECTIVES),
  ...Object.values(TEXT_DIRECTIVES),
  LONG_SPEECH,
  ...Object.values(REALTIME_DIRECTIVES),
];
