/** The minimum generation of the vendor's `-latest` aliases. */
const NEWEST = 3;

/** `models/gemini-2.5-flash` → 2.5. Aliases without a number (`gemini-flash-latest`) are of the newest generation. */
export function geminiVersion(model: string): number | undefined {
  const version = /gemini-(\d+(?:\.\d+)?)/i.exec(model)?.[1];
  if (version !== undefined) return Number(version);
  return /gemini-[a-z-]+-latest$/i.test(model) ? NEWEST : undefined;
}
