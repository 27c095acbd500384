/**
 * The generation of a Gemini model by its name: `gemini-2.5-flash` → 2.5, `models/gemini-3.1-pro-preview` → 3.1. The
 * aliases without a number (`gemini-flash-latest`) point to the newest.
 * @returns undefined for a name that does not tell
 */
export function geminiVersion(model: string): number | undefined {
  const found = /gemini-(\d+(?:\.\d+)?)/i.exec(model)?.[1];
  if (found !== undefined) return Number(found);
  return /gemini-[a-z-]+-latest$/i.test(model) ? NEWEST : undefined;
}

/** What the vendor's `-latest` aliases mean at the least. */
const NEWEST = 3;
