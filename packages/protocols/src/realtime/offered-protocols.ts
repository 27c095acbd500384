/** `Sec-WebSocket-Protocol` of a client; browsers can set no other header. */
export interface OfferedProtocols {
  /** Whether `realtime` is offered, the only protocol that may be selected. */
  offersRealtime: boolean;
  key?: string;
  /** For `OpenAI-Beta`. */
  beta?: string;
}

/** These may surround the items of a list (RFC 9110 §5.6.3). */
const BLANKS = /^[ \t]+|[ \t]+$/g;
const KEY = 'openai-insecure-api-key.';
const BETA = /^openai-beta\.([\w-]+)-(v\d+)$/;

/** The first key counts. */
export function readOfferedProtocols(header: string | undefined): OfferedProtocols {
  const offered = (header ?? '').split(',').map((item) => item.replaceAll(BLANKS, ''));
  const key = offered.find((item) => item.startsWith(KEY) && item.length > KEY.length)?.slice(KEY.length);
  const beta = offered.map((item) => BETA.exec(item)).find((match) => match !== null);
  return {
    offersRealtime: offered.includes('realtime'),
    ...(key !== undefined && { key }),
    ...(beta && { beta: `${beta[1]}=${beta[2]}` }),
  };
}
