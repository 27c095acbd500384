import { useEffect, useState } from 'react';

/** The current time in Unix milliseconds, which advances while the page is visible. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const advance = (): void => {
      if (document.visibilityState === 'visible') setNow(Date.now());
    };
    const timer = setInterval(advance, intervalMs);
    document.addEventListener('visibilitychange', advance);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', advance);
    };
  }, [intervalMs]);
  return now;
}
