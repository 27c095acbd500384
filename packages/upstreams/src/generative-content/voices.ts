/** Maps each OpenAI voice to a similar Gemini voice (Gemini API docs, "Speech generation"). */
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

/** Returns the Gemini voice for an OpenAI voice; undefined for any other name, which may be a Gemini voice. */
export function geminiVoice(name: string): string | undefined {
  return Object.hasOwn(LIKE, name.toLowerCase()) ? LIKE[name.toLowerCase()] : undefined;
}
