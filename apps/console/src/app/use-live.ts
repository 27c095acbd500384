import { createContext, useContext } from 'react';

/** Whether the stream of changes is open. */
export const LiveContext = createContext(false);

/** The stream can miss a change, so lists are also read without one. */
const LIVE_REFRESH_MS = 30_000;

/** Returns the interval of a query whose data the stream of changes reports: `ms` while the stream is disconnected. */
export function useRefresh(ms: number): number {
  return useContext(LiveContext) ? Math.max(ms, LIVE_REFRESH_MS) : ms;
}
