import { type PromptDirective, MEDIA_DIRECTIVES } from './media-directives.ts';
import { TEXT_DIRECTIVES } from './text-directives.ts';
import { AUDIO_DIRECTIVES } from './audio-directives.ts';
import { REALTIME_DIRECTIVES } from './realtime-directives.ts';

/** All directives, in the order of `docs/extend/sandbox.md`. */
export const ALL_DIRECTIVES: readonly PromptDirective[] = [
  MEDIA_DIRECTIVES,
  TEXT_DIRECTIVES,
  AUDIO_DIRECTIVES,
  REALTIME_DIRECTIVES,
].flatMap((some): PromptDirective[] => Object.values(some));
