import { BATCH_DIRECTIVES } from './batch-directives.ts';
import { MEDIA_DIRECTIVES } from './media-directives.ts';
import type { PromptDirective } from './prompt-directive.ts';
import { REALTIME_DIRECTIVES } from './realtime-directives.ts';
import { TEXT_DIRECTIVES } from './text-directives.ts';

/** In the audio API, `[long:N]` sets the size of the audio. In text APIs, it has another meaning. */
const LONG_SPEECH: PromptDirective = {
  word: '[long:N]',
  capability: 'speech',
  call: 'speech',
  times: 'every call',
  effect: 'generates and sends N MiB of audio',
  ending: 'N MiB of audio',
};

/** All directives, in the order of `docs/extend/sandbox.md`. */
export const ALL_DIRECTIVES: readonly PromptDirective[] = [
  ...Object.values(MEDIA_DIRECTIVES),
  ...Object.values(TEXT_DIRECTIVES),
  LONG_SPEECH,
  ...Object.values(REALTIME_DIRECTIVES),
  ...Object.values(BATCH_DIRECTIVES),
];
