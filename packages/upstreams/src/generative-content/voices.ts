/** OpenAI's voices, each with a similar voice of Gemini (Gemini API docs, "Speech generation"). */
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

/** Gemini's voice for one of OpenAI's; undefined for any other name, which may be one of Gemini's. */
export function geminiVoice(name: string): string | undefined {
  return Object.hasOwn(LIKE, name.toLowerCase()) ? LIKE[name.toLowerCase()] : undefined;
}
