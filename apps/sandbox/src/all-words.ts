import { type PromptWord, PROMPT_WORDS } from './prompt-words.ts';
import { TEXT_WORDS } from './text/text-words.ts';
import { AUDIO_WORDS } from './wires/audio/audio-words.ts';
import { REALTIME_WORDS } from './wires/realtime/realtime-words.ts';

/** The words of all wires, in the order of `docs/sandbox.md`. */
export const ALL_WORDS: readonly PromptWord[] = [PROMPT_WORDS, TEXT_WORDS, AUDIO_WORDS, REALTIME_WORDS].flatMap(
  (some): PromptWord[] => Object.values(some),
);
