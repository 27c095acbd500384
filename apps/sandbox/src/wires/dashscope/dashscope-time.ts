/** UTC+8 all year. */
const BEIJING_MS = 8 * 3600 * 1000;

/** `2023-12-20 21:36:31.896` in Beijing time (DashScope docs, "Asynchronous tasks"). */
export function beijingTime(milliseconds: number): string {
  return new Date(milliseconds + BEIJING_MS).toISOString().replace('T', ' ').replace('Z', '');
}
