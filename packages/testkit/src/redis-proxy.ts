import { type FaultProxy, type ConnectionObserver, type ProxyTarget, startFaultProxy } from './fault-proxy.ts';
import { parseCommand, RespSplitter } from './resp.ts';

/** Returns whether to drop Redis's raw response to the command. */
type ExchangeTest = (command: readonly string[], response: string) => boolean;

/** A proxy in front of Redis that matches each response with its command. */
export interface RedisProxy extends FaultProxy {
  /** The proxy's URL, `redis://…`. */
  url: string;
  /**
   * Drops the response to the next matching command: Redis executes the command, and the connection is reset before the
   * client receives the response. Resolves after the reset. Error responses are not dropped, because Redis has executed
   * nothing.
   */
  dropResponse(matches: ExchangeTest): Promise<void>;
}

/** @param redisUrl `unix:///path` or `redis://host:port` */
export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
  let drop: { matches: ExchangeTest; onDropped: () => void } | undefined;

  function watch(): ConnectionObserver {
    const [commands, responses] = [new RespSplitter(), new RespSplitter()];
    const waiting: string[][] = [];
    return {
      toServer(chunk) {
        for (const command of commands.push(chunk)) waiting.push(parseCommand(command));
        return 'pass';
      },
      toClient(chunk) {
        for (const response of responses.push(chunk)) {
          const kind = String.fromCharCode(response[0] ?? 0);
          if (kind === '>') continue; // A push message is not a response.
          const command = waiting.shift();
          if (!command || kind === '-' || !drop?.matches(command, response.toString())) continue;
          drop.onDropped();
          drop = undefined;
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
    dropResponse: (matches) => new Promise((onDropped) => (drop = { matches, onDropped })),
  };
}

function targetOf(url: string): ProxyTarget {
  return url.startsWith('unix://') ? { path: url.slice('unix://'.length) } : { port: Number(new URL(url).port) };
}
