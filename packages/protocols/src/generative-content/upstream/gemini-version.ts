/** The lowest generation that the vendor's `-latest` aliases refer to. */
const NEWEST = 3;

/**
 * Parses `models/gemini-2.5-flash` to 2.5. Aliases without a number (e.g. `gemini-flash-latest`) use the newest
 * generation.
 */
export function geminiVersion(model: string): number | undefined {
  const version = /gemini-(\d+(?:\.\d+)?)/i.exec(model)?.[1];
  if (version !== undefined) return Number(version);
  return /gemini-[a-z-]+-latest$/i.test(model) ? NEWEST : undefined;
}
