/**
 * The generation of a Gemini model by name: `gemini-2.5-flash` → 2.5, `models/gemini-3.1-pro-preview` → 3.1. Aliases
 * without a number (`gemini-flash-latest`) are of the newest one.
 * @returns undefined for any other name
 */
export function geminiVersion(model: string): number | undefined {
  const found = /gemini-(\d+(?:\.\d+)?)/i.exec(model)?.[1];
  if (found !== undefined) return Number(found);
  return /gemini-[a-z-]+-latest$/i.test(model) ? NEWEST : undefined;
}

/** The least that the vendor's `-latest` aliases mean. */
const NEWEST = 3;
