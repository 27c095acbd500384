/**
 * OpenAI's voices, each with one of Gemini's that is somewhat like it (Gemini API docs, "Speech generation": thirty voices,
 * each described by a word).
 */
const LIKE: Readonly<Record<string, string>> = {
  alloy: 'Kore',
  ash: 'Charon',
  ballad: 'Enceladus',
  cedar: 'Algieba',
  coral: 'Aoede',
  echo: 'Iapetus',
  fable: 'Fenrir',
  marin: 'Despina',
  nova: 'Leda',
  onyx: 'Orus',
  sage: 'Sulafat',
  shimmer: 'Zephyr',
  verse: 'Puck',
};

/** The voice of Gemini's that stands for one of OpenAI's; undefined for any other name, which may be one of Gemini's. */
export function geminiVoice(name: string): string | undefined {
  return Object.hasOwn(LIKE, name.toLowerCase()) ? LIKE[name.toLowerCase()] : undefined;
}
