/** Beijing is at UTC+8 all year. */
const BEIJING_MS = 8 * 3600 * 1000;

/** Formats Beijing time as `2023-12-20 21:36:31.896` (DashScope docs, "Asynchronous tasks"). */
export function beijingTime(milliseconds: number): string {
  return new Date(milliseconds + BEIJING_MS).toISOString().replace('T', ' ').replace('Z', '');
}
