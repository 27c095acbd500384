/** What a client says in `Sec-WebSocket-Protocol`: browsers can set no other header. */
export interface OfferedProtocols {
  /** Whether `realtime` is among them, the one that may be selected. */
  offersRealtime: boolean;
  /** A credential. */
  key?: string;
  /** What would stand in `OpenAI-Beta`. */
  beta?: string;
}

/** Nothing else may stand around a list's items (RFC 9110 §5.6.3). */
const BLANKS = /^[ \t]+|[ \t]+$/g;
const KEY = 'openai-insecure-api-key.';
const BETA = /^openai-beta\.([\w-]+)-(v\d+)$/;

/** Reads the sub-protocols that a client offers; the first key counts, and what is not known is left alone. */
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
