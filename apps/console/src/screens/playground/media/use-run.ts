import { useEffect, useRef, useState } from 'react';
import { shownError } from '../exchange/shown-error.ts';
import { type Exchange, type ExchangeOptions, sendExchange } from '../exchange/exchange.ts';
import type { ApiRequest } from '../protocols/text-protocol.ts';

/** One run of a model: a request, and what came of it. */
export interface Run<Result> {
  isRunning: boolean;
  /** Complete, or so far. */
  result: Result | undefined;
  error: Error | undefined;
  /** The request that started the run. */
  exchange: Exchange | undefined;
  /** The last request of a run that needs several, e.g. events of a task. */
  followed: Exchange | undefined;
}

export interface RunContext<Result> {
  signal: AbortSignal;
  show: (result: Result) => void;
  /** Sends the request that starts the run. */
  start: (request: ApiRequest) => Promise<[Exchange, Response]>;
  /** Sends a later request. */
  follow: (request: ApiRequest, onEvent?: ExchangeOptions['onEvent']) => Promise<[Exchange, Response]>;
}

/** The state of a run, and a function that starts it again. */
export interface ModelRun<Result> extends Run<Result> {
  begin: (work: (context: RunContext<Result>) => Promise<void>) => Promise<void>;
}

const IDLE = { isRunning: false, result: undefined, error: undefined, exchange: undefined, followed: undefined };

/** Runs a task of the playground. A new run ends the one before, and so does leaving the screen. */
export function useRun<Result>(): ModelRun<Result> {
  const [run, setRun] = useState<Run<Result>>(IDLE);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const begin = async (work: (context: RunContext<Result>) => Promise<void>): Promise<void> => {
    running.current?.abort();
    const stop = new AbortController();
    const { signal } = stop;
    running.current = stop;
    const change = (more: Partial<Run<Result>>): void => {
      if (running.current === stop) setRun((now) => ({ ...now, ...more }));
    };
    setRun({ ...IDLE, isRunning: true });
    try {
      await work({
        signal,
        show: (result) => change({ result }),
        start: (request) => sendExchange(request, { signal, onUpdate: (exchange) => change({ exchange }) }),
        follow: (request, onEvent) =>
          sendExchange(request, {
            signal,
            onUpdate: (followed) => change({ followed }),
            ...(onEvent && { onEvent }),
          }),
      });
    } catch (error) {
      if (!signal.aborted) change({ error: shownError(error) });
    } finally {
      change({ isRunning: false });
    }
  };
  return { ...run, begin };
}
