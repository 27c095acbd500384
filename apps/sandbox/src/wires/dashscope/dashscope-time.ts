/** Beijing is eight hours ahead of Greenwich, all year round. */
const BEIJING_MS = 8 * 3600 * 1000;

/** A time as DashScope tells it: `2023-12-20 21:36:31.896`, in Beijing (DashScope docs, "Asynchronous tasks"). */
export function beijingTime(milliseconds: number): string {
  return new Date(milliseconds + BEIJING_MS).toISOString().replace('T', ' ').replace('Z', '');
}
