import { type FaultProxy, type LinkWatch, type ProxyTarget, startFaultProxy } from './fault-proxy.ts';
import { commandWords, RespSplitter } from './resp.ts';

/** Whether a command, as words, and its response, as sent, match. */
type ExchangeTest = (words: readonly string[], response: string) => boolean;

/** A proxy in front of Redis that matches responses to commands. */
export interface RedisProxy extends FaultProxy {
  /** `redis://…` of the proxy. */
  url: string;
  /**
   * Drops the response to the next matching command: Redis applies it, and the connection is reset before the client
   * receives the response. Resolves when that has happened. Redis errors pass, since nothing was applied.
   */
  dropResponse(fits: ExchangeTest): Promise<void>;
}

/** @param redisUrl `unix:///path` or `redis://host:port` */
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
          if (kind === '>') continue; // a push is not a response
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
