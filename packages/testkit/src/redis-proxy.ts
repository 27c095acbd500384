import { type FaultProxy, type LinkWatch, type ProxyTarget, startFaultProxy } from './fault-proxy.ts';
import { commandWords, RespSplitter } from './resp.ts';

/** Whether a command, in its words, and its answer, as sent, are the ones that are meant. */
type ExchangeTest = (words: readonly string[], response: string) => boolean;

/** A proxy before Redis that knows which answer belongs to which command. */
export interface RedisProxy extends FaultProxy {
  /** `redis://…` of the proxy. */
  url: string;
  /**
   * Loses the answer to the next command that fits: Redis has applied it, the connection is reset before the client
   * hears of it. Resolves when that has happened. Errors of Redis are not lost, since nothing was applied then.
   */
  dropResponse(fits: ExchangeTest): Promise<void>;
}

/** Starts a {@link RedisProxy} before a server told as `unix:///path` or `redis://host:port`. */
export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
  let loss: { fits: ExchangeTest; happened: () => void } | undefined;

  function watch(): LinkWatch {
    const [commands, responses] = [new RespSplitter(), new RespSplitter()];
    const waiting: string[][] = [];
    return {
      toServer(chunk) {
        for (const command of commands.push(chunk)) waiting.push(commandWords(command));
        return 'pass';
      },
      toClient(chunk) {
        for (const response of responses.push(chunk)) {
          const kind = String.fromCharCode(response[0] ?? 0);
          if (kind === '>') continue; // a push, which answers nothing
          const words = waiting.shift();
          if (!words || kind === '-' || !loss?.fits(words, response.toString())) continue;
          loss.happened();
          loss = undefined;
          return 'reset';
        }
        return 'pass';
      },
    };
  }

  const proxy = await startFaultProxy(targetOf(redisUrl), watch);
  return {
    ...proxy,
    url: `redis://127.0.0.1:${proxy.port}`,
    dropResponse: (fits) => new Promise((happened) => (loss = { fits, happened })),
  };
}

function targetOf(url: string): ProxyTarget {
  return url.startsWith('unix://') ? { path: url.slice('unix://'.length) } : { port: Number(new URL(url).port) };
}
